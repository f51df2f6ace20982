import type { ShownDose } from '#app/domain/schedules/schedule-view.ts';
import { DataTable } from '#app/ui/data-table.tsx';
import { Figure } from '#app/ui/statistic.tsx';

/** Doses one below the other: day, time, amount. */
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
        { key: 'amount', label: 'Dose', numeric: true, cell: ({ amount }) => amount },
      ]}
    />
  );
}
