import { useState } from 'react';
import { dayLabel } from '#app/domain/time/calendar.ts';
import type { AsNeededLine, DrawLine } from '#app/domain/doses/draw-line.ts';
import type { OfflineSnapshot } from '#app/domain/offline/snapshot.ts';
import type { Queued } from '#app/offline/outbox.ts';
import { Button } from '#app/ui/button.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { shownMoment } from './entry-fields.ts';
import { queueEntry } from './use-store.ts';

type Today = NonNullable<OfflineSnapshot['today']>;

const doseText = ({ name, amountText }: DrawLine) => `${name} ${amountText}`;

interface DoseProps {
  line: DrawLine;
  /** How it was logged on this device, if it was. */
  logged: 'Taken' | 'Skipped' | null;
  onFailure: () => void;
}

/** One dose: what to draw, and buttons to log it as taken or skipped. */
function Dose({ line, logged, onFailure }: DoseProps) {
  const [busy, setBusy] = useState(false);
  const about = doseText(line);
  const say = (kind: 'dose-taken' | 'dose-skipped') => {
    setBusy(true);
    const times = kind === 'dose-taken' ? { takenAt: new Date().toISOString() } : {};
    queueEntry({ kind, about, fields: { doseId: line.id, ...times } })
      .catch(onFailure)
      .finally(() => setBusy(false));
  };
  return (
    <li className="offline-row flex flex-wrap items-center gap-x-4">
      <time dateTime={line.dueDate} className="figure">
        {line.time}
      </time>
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-semibold break-words">
          <Measured text={about} />
        </p>
        {line.drawText ? (
          <p>
            <Measured text={`Draw ${line.drawText}`} />
          </p>
        ) : null}
        {line.readBack ? <p className="text-sm font-semibold">{line.readBack}</p> : null}
        {line.vialNote ? <p className="text-sm text-soft">{line.vialNote}</p> : null}
      </div>
      {logged ? (
        <p className="text-sm text-soft">{`${logged}, waiting to be sent`}</p>
      ) : (
        <div className="ms-auto flex gap-2">
          <Button
            type="button"
            disabled={busy}
            aria-label={`Taken: ${about}`}
            onClick={() => say('dose-taken')}
          >
            Taken
          </Button>
          <Button
            type="button"
            variant="plain"
            disabled={busy}
            aria-label={`Skip ${about}`}
            onClick={() => say('dose-skipped')}
          >
            Skip
          </Button>
        </div>
      )}
    </li>
  );
}

/** One schedule taken as needed, with the doses logged here that the server does not have yet. */
function AsNeeded({
  line,
  waiting,
  onFailure,
}: {
  line: AsNeededLine;
  waiting: number;
  onFailure: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const about = doseText(line);
  const take = () => {
    setBusy(true);
    const fields = { scheduleId: line.id, takenAt: new Date().toISOString() };
    queueEntry({ kind: 'dose-as-needed', about, fields })
      .catch(onFailure)
      .finally(() => setBusy(false));
  };
  return (
    <li className="offline-row flex flex-wrap items-center gap-x-4">
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-semibold break-words">
          <Measured text={about} />
        </p>
        {line.drawText ? (
          <p>
            <Measured text={`Draw ${line.drawText}`} />
          </p>
        ) : null}
        {waiting > 0 ? (
          <p className="text-sm text-soft">{`Taken ${waiting === 1 ? 'once' : `${waiting} times`}, waiting to be sent`}</p>
        ) : null}
      </div>
      <div className="ms-auto">
        <Button type="button" disabled={busy} aria-label={`Taken: ${about}, as needed`} onClick={take}>
          Taken
        </Button>
      </div>
    </li>
  );
}

const LOGGED_AS: Readonly<Partial<Record<string, 'Taken' | 'Skipped'>>> = {
  'dose-taken': 'Taken',
  'dose-skipped': 'Skipped',
};

/** How each dose was logged on this device. */
function loggedByDose(waiting: readonly Queued[]): ReadonlyMap<unknown, 'Taken' | 'Skipped'> {
  const logged = new Map<unknown, 'Taken' | 'Skipped'>();
  for (const { entry } of waiting) {
    const word = LOGGED_AS[entry.kind];
    if (word) logged.set(entry.fields['doseId'], word);
  }
  return logged;
}

/** Today in the owner's time zone, by this device's clock. */
function dayNow(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
}

interface TodayDosesProps {
  seen: { value: Today | null; timestamp: number };
  timeZone: string;
  waiting: readonly Queued[];
}

/** Today's doses and those of the following days, as last seen online. */
export function TodayDoses({ seen, timeZone, waiting }: TodayDosesProps) {
  const [failed, setFailed] = useState(false);
  if (seen.value === null) return null;
  const logged = loggedByDose(waiting);
  const today = dayNow(timeZone);
  const all = [...seen.value.open, ...seen.value.ahead];
  const due = all.filter(({ day }) => day <= today);
  const later = all.filter(({ day }) => day > today);
  const { asNeeded = [] } = seen.value;
  const dose = (line: DrawLine) => (
    <Dose key={line.id} line={line} logged={logged.get(line.id) ?? null} onFailure={() => setFailed(true)} />
  );
  return (
    <section aria-labelledby="today" className="offline-section">
      <h2 id="today">Today</h2>
      <p className="pb-2 text-sm text-soft">{`As of ${shownMoment(seen.timestamp)}`}</p>
      {failed ? (
        <Notice tone="error" role="alert">
          This device could not save that. Its storage may be full.
        </Notice>
      ) : null}
      {due.length === 0 ? <p className="text-soft">No doses left to log today.</p> : null}
      {due.length > 0 ? <ul className="sheet">{due.map(dose)}</ul> : null}
      {asNeeded.length > 0 ? (
        <>
          <h3 className="pt-4">As needed</h3>
          <ul className="sheet">
            {asNeeded.map((line) => (
              <AsNeeded
                key={line.id}
                line={line}
                waiting={waiting.filter(({ entry }) => entry.fields['scheduleId'] === line.id).length}
                onFailure={() => setFailed(true)}
              />
            ))}
          </ul>
        </>
      ) : null}
      {later.length > 0 ? (
        <Disclosure summary={`Next days (${later.length})`}>
          <ul className="sheet">
            {later.map((line) => (
              <li key={line.id} className="offline-row">
                <span className="figure">{`${dayLabel(line.day)}, ${line.time}`}</span>{' '}
                <Measured text={doseText(line)} />
                {line.drawText ? <Measured text={` · ${line.drawText}`} /> : null}
              </li>
            ))}
          </ul>
        </Disclosure>
      ) : null}
    </section>
  );
}
