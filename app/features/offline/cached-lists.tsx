import type { ReactNode } from 'react';
import type { HistoryRow } from '#app/domain/calculator/history.ts';
import type { VialRow } from '#app/domain/vials/vial-texts.ts';
import type { OfflineSchedule } from '#app/domain/offline/snapshot.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { shownMoment } from './entry-fields.ts';

interface SeenProps<Row> {
  seen: { value: readonly Row[]; timestamp: number } | null;
}

interface SectionProps<Row> extends SeenProps<Row> {
  id: string;
  title: string;
  empty: string;
  children: (row: Row) => ReactNode;
}

/** A list as last seen online, and when. Data that cannot be read counts as never seen. */
function SeenSection<Row extends { id: string }>({ id, title, empty, seen, children }: SectionProps<Row>) {
  const rows = seen?.value ?? [];
  return (
    <section aria-labelledby={id} className="offline-section">
      <h2 id={id}>{title}</h2>
      {seen === null ? (
        <p className="text-soft">Not saved on this device yet. Open Vialbook once while you are online.</p>
      ) : (
        <>
          <p className="pb-2 text-sm text-soft">{`As of ${shownMoment(seen.timestamp)}`}</p>
          {rows.length === 0 ? <p className="text-soft">{empty}</p> : null}
          {rows.length > 0 ? (
            <ul className="sheet">
              {rows.map((row) => (
                <li key={row.id} className="offline-row">
                  {children(row)}
                </li>
              ))}
            </ul>
          ) : null}
        </>
      )}
    </section>
  );
}

const Line = ({ name, children }: { name: string; children?: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4">
    <span className="min-w-0 font-semibold break-words">{name}</span>
    {children}
  </div>
);

export function SeenVials({ seen }: SeenProps<VialRow>) {
  return (
    <SeenSection id="vials" title="Vials" empty="No vials." seen={seen}>
      {({ name, statusText, remainingText, totalText, strengthText, unit = 'mg', ...row }) => (
        <>
          <Line name={name}>
            <span className="flex gap-2">
              {row.isLow ? <Badge tone="warn">Low</Badge> : null}
              <Badge tone="soft">{statusText}</Badge>
            </span>
          </Line>
          {/* Snapshots from before blends have no parts, those from before IU no units. */}
          {((row.parts ?? []).length > 0
            ? row.parts
            : [{ name: '', remainingText, totalText, strengthText }]
          ).map((part) => (
            <p key={part.name}>
              <Measured
                text={`${part.name} ${part.remainingText} ${unit} of ${part.totalText} ${unit} left`.trim()}
              />
              {part.strengthText ? (
                <Measured text={` · ${part.strengthText} ${row.strengthUnit ?? 'mg/ml'}`} />
              ) : null}
            </p>
          ))}
          {row.date ? <p className="text-sm text-soft">{row.date.text}</p> : null}
        </>
      )}
    </SeenSection>
  );
}

export function SeenSchedules({ seen }: SeenProps<OfflineSchedule>) {
  return (
    <SeenSection id="schedules" title="Schedules" empty="No schedules." seen={seen}>
      {({ name, isActive, words, dose, next }) => (
        <>
          <Line name={name}>
            <Badge tone={isActive ? 'good' : 'soft'}>{isActive ? 'Active' : 'Paused'}</Badge>
          </Line>
          <p>
            {`${words}, `}
            <Measured text={dose} />
          </p>
          {next === null ? null : <p className="text-sm text-soft">{`Next dose: ${next}`}</p>}
        </>
      )}
    </SeenSection>
  );
}

export function SeenHistory({ seen }: SeenProps<HistoryRow>) {
  return (
    <SeenSection id="history" title="Saved calculations" empty="Nothing saved yet." seen={seen}>
      {({ peptideName, day, time, summary, notes }) => (
        <>
          <Line name={peptideName ?? 'Unnamed'}>
            <span className="text-sm text-soft">{`${day}, ${time}`}</span>
          </Line>
          <p>
            <Measured text={summary} />
          </p>
          {notes ? <p className="text-sm break-words text-soft">{notes}</p> : null}
        </>
      )}
    </SeenSection>
  );
}
