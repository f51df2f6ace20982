import type { ReactNode } from 'react';
import { SectionBoundary } from '#app/ui/errors/section-boundary.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';

interface ChartFigureProps<Row> {
  id: string;
  title: string;
  /** One sentence that says what the chart shows: it is read in place of the drawing. */
  sentence: string;
  /** What it is computed from. */
  basis: string;
  children: ReactNode;
  table: { columns: readonly Column<Row>[]; rows: readonly Row[]; rowKey: (row: Row) => string };
}

/** A chart with the sentence above it and the same figures as a table behind a disclosure. */
export function ChartFigure<Row>({ id, title, sentence, basis, children, table }: ChartFigureProps<Row>) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="chart-figure">
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      <p className="mt-1 max-w-prose">{sentence}</p>
      <div className="mt-3">
        <SectionBoundary name="The chart">{children}</SectionBoundary>
      </div>
      <p className="mt-2 text-sm text-soft">{basis}</p>
      <Disclosure summary="The figures as a table">
        <DataTable caption={title} {...table} />
      </Disclosure>
    </section>
  );
}
