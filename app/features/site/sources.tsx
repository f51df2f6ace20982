import type { BuiltInFigure, FigureGroup } from '#app/domain/site/built-in-figures.ts';
import { sourceLine } from '#app/domain/site/source.ts';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';
import { Measured } from '#app/ui/figure.tsx';

const COLUMNS: readonly Column<BuiltInFigure>[] = [
  { key: 'name', label: 'For', cell: ({ name }) => <span className="block sm:min-w-36">{name}</span> },
  {
    key: 'figure',
    label: 'Figure',
    cell: ({ figure }) => (
      <span className="block sm:min-w-36">
        <Measured text={figure} />
      </span>
    ),
  },
  {
    key: 'source',
    label: 'Source, section and date',
    cell: ({ source }) => (
      <>
        {`${sourceLine(source)}. ${source.finding}`}
        {source.isConfirmed ? null : <strong>{' Not confirmed by a publication.'}</strong>}
      </>
    ),
  },
];

/** Every built-in figure with its source. */
export function Sources({ groups }: { groups: readonly FigureGroup[] }) {
  return (
    <article>
      <header className="max-w-2xl py-6">
        <h1>Sources</h1>
        <p className="mt-4 text-xl">
          Every figure built into this product, and its source. The list is generated from the data that the
          product computes with.
        </p>
        <p className="mt-2 text-soft">
          A research reference, not medical advice. Sources may be wrong, may change, and may not apply to
          your product. Figures that no publication confirms are marked.
        </p>
      </header>
      {groups.map(({ id, title, use, figures }) => (
        <MarginSection key={id} id={id} title={title}>
          <p className="mb-2 text-soft">{use}</p>
          <DataTable
            caption={title}
            columns={COLUMNS}
            rows={figures}
            rowKey={({ name, figure }) => `${name} ${figure}`}
          />
        </MarginSection>
      ))}
    </article>
  );
}
