import { useFetcher } from '@remix-run/react';
import { useState } from 'react';
import { shownAhead } from '#app/ui/connection/optimistic.ts';
import { Badge } from '#app/ui/badge.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { Figure } from '#app/ui/statistic.tsx';
import { Measured } from '#app/ui/measurement.tsx';
import type { HistoryRow } from '#app/domain/calculator/history.ts';
import { DeleteLink, DeleteQuestion } from './history-delete.tsx';
import { nameOf } from './short-names.ts';

function Figures({ row }: { row: HistoryRow }) {
  return (
    <dl className="history-figures">
      <div>
        <dt>In the vial</dt>
        <dd>
          <Figure value={`${row.peptideAmountText} mg`} /> in <Figure value={`${row.waterVolumeText} ml`} />
        </dd>
      </div>
      <div>
        <dt>Concentration</dt>
        <dd>
          <Figure value={`${row.concentrationText} mg/ml`} />
        </dd>
      </div>
      <div>
        <dt>Dose</dt>
        <dd>
          <span className="figure history-dose">
            <Measured text={`${row.desiredDoseText} mg = ${row.injectionVolumeText} ml`} />
          </span>
        </dd>
      </div>
    </dl>
  );
}

/** The list's heading takes the focus when a row leaves: the row had it. */
function focusList(): void {
  document.getElementById('history-title')?.focus();
}

/**
 * One entry of the notebook: when in the margin, what to the right of the rule. A deleted one leaves at once, and comes
 * back when the server could not do it.
 */
export function HistoryItem({ row, deleteHref }: { row: HistoryRow; deleteHref: string }) {
  const fetcher = useFetcher({ key: `delete-${row.id}` });
  const [isAsking, setAsking] = useState(false);
  const answer = (isDeleted: boolean) => {
    setAsking(false);
    if (isDeleted) focusList();
  };
  return (
    <li className="entry history-item" data-leaving={shownAhead(fetcher) ? true : undefined}>
      <time dateTime={row.createdAt} className="history-when">
        <span className="figure">{row.day}</span> <span className="figure">{row.time}</span>
      </time>
      <div className="history-body">
        <Badge tone={row.peptideName ? 'pen' : 'soft'}>{nameOf(row)}</Badge>
        <Figures row={row} />
        {row.notes ? <p className="whitespace-pre-line">{row.notes}</p> : null}
        {isAsking ? (
          <DeleteQuestion row={row} href={deleteHref} form={fetcher.Form} onAnswer={answer} />
        ) : (
          <div className="no-print flex flex-wrap gap-x-4">
            <CopyButton text={row.summary} variant="plain" className="px-0" />
            <DeleteLink row={row} href={deleteHref} onAsk={() => setAsking(true)} />
          </div>
        )}
      </div>
    </li>
  );
}
