import { Component, type ReactNode } from 'react';
import { ERROR_WORDS } from '#app/domain/messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';

interface SectionBoundaryProps {
  /** What failed, as the user sees it: "The chart". */
  name: string;
  children: ReactNode;
}

/** Contains the failure of a part of a page, such as a chart or the body map. */
class SectionBoundary extends Component<SectionBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  private readonly retry = () => this.setState({ hasFailed: false });

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    const refresh = () => window.location.reload();
    return (
      <Notice
        tone="error"
        role="alert"
        title={ERROR_WORDS.title}
        actions={
          <>
            <Button type="button" onClick={refresh}>
              {ERROR_WORDS.refresh}
            </Button>
            <Button type="button" onClick={this.retry}>
              {ERROR_WORDS.again}
            </Button>
          </>
        }
      >
        <p>{`${this.props.name} cannot be shown. The rest of the page works.`}</p>
      </Notice>
    );
  }
}

interface ChartFigureProps<Row> {
  id: string;
  title: string;
  /** One sentence that says what the chart shows, read instead of the drawing. */
  sentence: string;
  /** What it is computed from, if the sentence does not say it. */
  basis?: string;
  children: ReactNode;
  table: { columns: readonly Column<Row>[]; rows: readonly Row[]; rowKey: (row: Row) => string };
}

/** A chart with the sentence above it; the same figures as a table, and the formula, are behind a disclosure. */
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
      <Disclosure summary={basis === undefined ? 'Show as a table' : 'Table and formula'}>
        {basis === undefined ? null : <p className="mb-2 text-sm text-soft">{basis}</p>}
        <DataTable caption={title} {...table} />
      </Disclosure>
    </section>
  );
}
