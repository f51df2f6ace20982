import { BarPlot } from '#app/ui/charts/bar-plot.tsx';
import { ChartFigure } from '#app/ui/charts/chart-figure.tsx';
import { endsOf } from './labels.ts';
import { plural } from '#app/domain/text/plural.ts';

/** Spend in one currency as texts; the bars' heights are doubles. */
export interface SpendView {
  currency: string;
  total: string;
  vials: number;
  months: { month: string; value: number; text: string }[];
  names: string;
}

/** What vials cost. */
export function Spend({ spend: { currency, total, vials, months, names } }: { spend: SpendView }) {
  return (
    <ChartFigure
      id={`spend-${currency.replace(/\W/g, '-')}`}
      title={`Spend, ${currency}`}
      sentence={`${total} for ${plural(vials, 'vial')}: ${names}.`}
      basis="Computed from the cost noted with each vial, by the month it was added."
      table={{
        rows: months,
        rowKey: ({ month }) => month,
        columns: [
          { key: 'month', label: 'Month', cell: ({ month }) => month },
          { key: 'total', label: 'Spend', numeric: true, cell: ({ text }) => text },
        ],
      }}
    >
      <BarPlot
        bars={months.map(({ month, value }) => ({ key: month, parts: [{ value, tone: 'pen' }] }))}
        word={(value) => String(Math.round(value))}
        labels={endsOf(months.map(({ month }) => `${month}-01`))}
      />
    </ChartFigure>
  );
}

/** How long a compound lasts, as texts. */
export interface StockRow {
  name: string;
  stock: string;
  /** From 0 to 1 of the days looked at; null when unknown. */
  share: number | null;
  lasts: string;
  reorderBy: string;
}

/** The stock forecast. */
export function StockChart({ stock }: { stock: readonly StockRow[] }) {
  return (
    <ChartFigure
      id="stock"
      title="How long stock lasts"
      sentence={stock
        .map(({ name, lasts }) => `${name}: ${lasts}`)
        .join('; ')
        .concat('.')}
      basis="Computed from the planned doses of active schedules and your open and sealed vials, including their use-by dates."
      table={{
        rows: stock,
        rowKey: ({ name }) => name,
        columns: [
          { key: 'name', label: 'Compound', cell: ({ name }) => name },
          { key: 'stock', label: 'In stock', numeric: true, cell: (row) => row.stock },
          { key: 'lasts', label: 'Lasts', cell: ({ lasts }) => lasts },
          { key: 'reorder', label: 'Reorder by', cell: ({ reorderBy }) => reorderBy },
        ],
      }}
    >
      <ul className="grid gap-1">
        {stock.map(({ name, stock: left, lasts }) => (
          <li key={name}>
            <strong>{name}</strong> <span className="figure">{left}</span>
            {`, ${lasts}`}
          </li>
        ))}
      </ul>
    </ChartFigure>
  );
}
