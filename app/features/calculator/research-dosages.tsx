import { RESEARCH_DISCLAIMER, RESEARCH_SOURCE } from '#app/domain/calculator/reference-notices.ts';
import { RESEARCH_TABLE, type ResearchRow } from '#app/domain/calculator/research-table.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { Dialog } from '#app/ui/dialog.tsx';

const COLUMNS: readonly Column<ResearchRow>[] = [
  { key: 'compound', label: 'Compound', cell: (row) => row.compound },
  { key: 'vial', label: 'Vial', numeric: true, cell: (row) => row.vial },
  { key: 'doses', label: 'Doses', numeric: true, cell: (row) => row.doses },
];

/** The research reference table under its disclaimer. */
export function ResearchDosagesDialog({ closeHref }: { closeHref: string }) {
  return (
    <Dialog id="research-dosages" title="Research dosages" closeHref={closeHref}>
      <p className="mb-4">{RESEARCH_DISCLAIMER}</p>
      <DataTable
        caption="Research reference"
        columns={COLUMNS}
        rows={RESEARCH_TABLE}
        rowKey={(row) => row.compound}
        fixed
      />
      <p className="mt-3 text-sm text-soft">{RESEARCH_SOURCE}</p>
      <div className="mt-5 flex justify-end">
        <LinkButton to={closeHref} preventScrollReset>
          Close
        </LinkButton>
      </div>
    </Dialog>
  );
}
