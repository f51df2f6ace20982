import type { ShownPhase } from '#app/domain/schedules/schedule-view.ts';
import { DataTable } from '#app/ui/data-table.tsx';
import { Badge } from '#app/ui/badge.tsx';

/** How the dose changes over the weeks. */
export function PhaseTable({ phases }: { phases: readonly ShownPhase[] }) {
  return (
    <DataTable
      caption="Phases"
      rows={phases}
      rowKey={({ weeks }) => weeks}
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
        { key: 'dose', label: 'Dose', numeric: true, cell: ({ dose }) => dose },
      ]}
    />
  );
}
