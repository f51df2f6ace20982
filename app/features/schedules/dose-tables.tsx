import type { ShownPhase, ShownDose } from '#app/domain/schedules/schedule-view.ts';
import { DataTable } from '#app/ui/data-table.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Measured, Figure } from '#app/ui/figure.tsx';

/** An amount; for a blend it may wrap between components. */
const Amount = ({ text }: { text: string }) => (
  <span className="whitespace-normal">
    <Measured text={text} />
  </span>
);

/** How the dose changes over the weeks. */
export function PhaseTable({ phases }: { phases: readonly ShownPhase[] }) {
  return (
    <DataTable
      caption="Phases"
      rows={phases}
      rowKey={({ days }) => days}
      columns={[
        {
          key: 'weeks',
          label: 'Weeks',
          cell: ({ weeks, isNow }) => (
            <span className="flex flex-wrap gap-2">
              <span className="figure">{weeks}</span>
              {isNow ? <Badge tone="pen">Now</Badge> : null}
            </span>
          ),
        },
        { key: 'days', label: 'Days', cell: ({ days }) => days },
        { key: 'dose', label: 'Dose', numeric: true, cell: ({ dose }) => <Amount text={dose} /> },
      ]}
    />
  );
}

/** A table of doses with day, time and amount. */
export function DoseTable({ caption, doses }: { caption: string; doses: readonly ShownDose[] }) {
  const rows = doses.map((dose, index) => ({ ...dose, key: `${index} ${dose.day} ${dose.time}` }));
  return (
    <DataTable
      caption={caption}
      fixed
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        { key: 'day', label: 'Day', cell: ({ day }) => <span className="font-normal">{day}</span> },
        {
          key: 'time',
          label: 'Time',
          cell: ({ time, note }) => (
            <>
              <Figure value={time} />
              {note ? <span className="block text-sm text-soft">{note}</span> : null}
            </>
          ),
        },
        { key: 'amount', label: 'Dose', numeric: true, cell: ({ amount }) => <Amount text={amount} /> },
      ]}
    />
  );
}
