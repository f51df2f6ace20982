import { ChartFigure } from '#app/ui/charts/chart-figure.tsx';
import { LinePlot } from '#app/ui/charts/line-plot.tsx';

/** A measure over a period as numbers to draw and texts to read. */
export interface MeasuredView {
  key: string;
  name: string;
  /** Empty for a measure without one, such as mood. */
  unit: string;
  sentence: string;
  from: number;
  to: number;
  labels: string[];
  days: { day: string; at: number; value: number; average: number }[];
}

/** How a measure has gone: a dot for each day, and the moving average as a line. */
export function MeasuredChart({ measured }: { measured: MeasuredView }) {
  const { key, name, unit, sentence, from, to, labels, days } = measured;
  const inUnit = unit === '' ? '' : `, ${unit}`;
  return (
    <ChartFigure
      id={`measured-${key}`}
      title={`${name}${inUnit}`}
      sentence={sentence}
      basis="Computed from your measurements: dots are daily averages, the line is the average of the last 7 days. Days without a value are skipped. The scale does not start at 0."
      table={{
        rows: days,
        rowKey: ({ day }) => day,
        columns: [
          { key: 'day', label: 'Day', cell: ({ day }) => day },
          { key: 'value', label: `Daily average${inUnit}`, numeric: true, cell: ({ value }) => value },
          { key: 'average', label: `Last 7 days${inUnit}`, numeric: true, cell: ({ average }) => average },
        ],
      }}
    >
      <LinePlot
        series={[
          { kind: 'dots', tone: 'soft', points: days.map((day) => [day.at, day.value] as const) },
          { kind: 'line', tone: 'pen', points: days.map((day) => [day.at, day.average] as const) },
        ]}
        from={from}
        to={to}
        word={(value) => String(Number(value.toFixed(1)))}
        labels={labels}
        isClose
      />
    </ChartFigure>
  );
}
