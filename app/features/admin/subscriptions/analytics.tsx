import { BarPlot, ShareBars } from '#app/ui/charts/plots.tsx';
import { ChartFigure } from '#app/ui/charts/chart-figure.tsx';

/** One month of the analytics as the page shows it. */
export interface MonthView {
  month: string;
  revenue: number;
  revenueText: string;
  created: number;
  canceled: number;
  paid: number;
  failed: number;
  success: number | null;
  successText: string;
}

interface AnalyticsProps {
  months: readonly MonthView[];
  total: string;
  /** Payments attempted in all months, and the share that succeeded. */
  payments: { tried: string; text: string };
  trials: { ended: number; paid: number; share: number | null; text: string };
}

const BASIS = 'Computed from subscription events by calendar month (UTC).';
const ends = (months: readonly MonthView[]) => [months[0]?.month ?? '', months.at(-1)?.month ?? ''];
const monthColumn = { key: 'month', label: 'Month', cell: ({ month }: MonthView) => month };
const keyOf = ({ month }: MonthView) => month;

function Revenue({ months, total }: Pick<AnalyticsProps, 'months' | 'total'>) {
  const last = months.at(-1);
  return (
    <ChartFigure
      id="revenue"
      title="Revenue"
      sentence={`${total} in the last ${months.length} months, ${last?.revenueText ?? ''} in this one so far.`}
      basis={`${BASIS} Refunds and withdrawn payments are deducted.`}
      table={{
        rows: months,
        rowKey: keyOf,
        columns: [
          monthColumn,
          { key: 'revenue', label: 'Revenue', numeric: true, cell: ({ revenueText }) => revenueText },
        ],
      }}
    >
      <BarPlot
        bars={months.map(({ month, revenue }) => ({
          key: month,
          parts: [{ value: Math.max(0, revenue), tone: 'pen' }],
        }))}
        word={(value) => `$${Math.round(value).toLocaleString('en-US')}`}
        labels={ends(months)}
      />
    </ChartFigure>
  );
}

function Subscriptions({ months }: Pick<AnalyticsProps, 'months'>) {
  const sum = (of: (month: MonthView) => number) => months.reduce((all, month) => all + of(month), 0);
  return (
    <ChartFigure
      id="subscriptions"
      title="Subscriptions started and ended"
      sentence={`${sum(({ created }) => created)} started (blue) and ${sum(({ canceled }) => canceled)} ended (red) in ${months.length} months.`}
      basis={BASIS}
      table={{
        rows: months,
        rowKey: keyOf,
        columns: [
          monthColumn,
          { key: 'created', label: 'Started', numeric: true, cell: ({ created }) => created },
          { key: 'canceled', label: 'Ended', numeric: true, cell: ({ canceled }) => canceled },
        ],
      }}
    >
      <BarPlot
        bars={months.map(({ month, created, canceled }) => ({
          key: month,
          parts: [
            { value: created, tone: 'pen' },
            { value: canceled, tone: 'danger' },
          ],
        }))}
        word={(value) => String(Math.round(value))}
        labels={ends(months)}
      />
    </ChartFigure>
  );
}

function Payments({ months, payments }: Pick<AnalyticsProps, 'months' | 'payments'>) {
  const tried = months.filter(({ success }) => success !== null);
  return (
    <ChartFigure
      id="payments"
      title="Successful payments"
      sentence={
        tried.length === 0
          ? 'No payments were attempted in these months.'
          : `${payments.text} of the ${payments.tried} payments attempted in ${months.length} months succeeded.`
      }
      basis={`${BASIS} Every attempt counts, including retries of the same bill.`}
      table={{
        rows: months,
        rowKey: keyOf,
        columns: [
          monthColumn,
          { key: 'paid', label: 'Paid', numeric: true, cell: ({ paid }) => paid },
          { key: 'failed', label: 'Failed', numeric: true, cell: ({ failed }) => failed },
          { key: 'success', label: 'Success', numeric: true, cell: ({ successText }) => successText },
        ],
      }}
    >
      <ShareBars
        shares={tried.map(({ month, success, successText }) => ({
          key: month,
          label: month,
          share: success,
          text: successText,
        }))}
      />
    </ChartFigure>
  );
}

/** Charts of revenue, subscriptions and payments. */
export function Analytics({ months, total, payments, trials }: AnalyticsProps) {
  return (
    <>
      <section aria-labelledby="trials" className="sheet p-5">
        <h2 id="trials" className="text-xl">
          Trial conversion
        </h2>
        <p className="admin-figure figure">{trials.text}</p>
        <p className="text-soft">
          {`${trials.paid} of ${trials.ended} accounts whose trial ended in the last 90 days have paid.`}
        </p>
      </section>
      <Revenue months={months} total={total} />
      <Subscriptions months={months} />
      <Payments months={months} payments={payments} />
    </>
  );
}
