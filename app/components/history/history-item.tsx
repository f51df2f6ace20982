import { Link } from '@remix-run/react';
import { Badge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Figure } from '../ui/figure.tsx';
import { Icon } from '../ui/icon.tsx';
import { Measured } from '../ui/measured.tsx';
import type { HistoryRow } from '#app/domain/history/history-row.ts';
import { nameOf } from './names.ts';

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

/** One entry of the notebook: when in the margin, what to the right of the rule. */
export function HistoryItem({ row, deleteHref }: { row: HistoryRow; deleteHref: string }) {
  return (
    <li className="entry history-item">
      <time dateTime={row.createdAt} className="history-when">
        <span className="figure">{row.day}</span> <span className="figure">{row.time}</span>
      </time>
      <div className="history-body">
        <Badge tone={row.peptideName ? 'pen' : 'soft'}>{nameOf(row)}</Badge>
        <Figures row={row} />
        {row.notes ? <p className="whitespace-pre-line">{row.notes}</p> : null}
        <div className="no-print flex flex-wrap gap-x-4">
          <CopyButton text={row.summary} variant="plain" className="px-0" />
          <Link
            to={deleteHref}
            className="btn btn-plain px-0 text-danger"
            aria-label={`Delete ${nameOf(row)}, ${row.day}`}
          >
            <Icon name="trash" size={16} />
            Delete
          </Link>
        </div>
      </div>
    </li>
  );
}
