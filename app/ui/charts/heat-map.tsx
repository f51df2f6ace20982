import type { HeatRow } from '#app/domain/analytics/day-figures.ts';

interface HeatMapProps {
  rows: readonly HeatRow[];
}

const CELL = 12;
const GAP = 2;

/** Square cells of more weeks are lower than the names of their days: then they are drawn higher than wide. */
const MOST_SQUARE_WEEKS = 26;

/** Doses of each day: a column a week. The darker the more; the figures are in the table beside it. */
export function HeatMap({ rows }: HeatMapProps) {
  const weeks = rows[0]?.days.length ?? 0;
  return (
    <div className="heat-map" aria-hidden="true">
      <div className="heat-days figure">
        {rows.map(({ weekday }) => (
          <span key={weekday}>{weekday}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${weeks * CELL} ${7 * CELL}`}
        preserveAspectRatio={weeks > MOST_SQUARE_WEEKS ? 'none' : 'xMinYMin meet'}
      >
        {rows.flatMap(({ days }, row) =>
          days.map((day, week) =>
            day === null ? null : (
              <rect
                key={day.day}
                className={`heat-${day.step}`}
                x={week * CELL}
                y={row * CELL}
                width={CELL - GAP}
                height={CELL - GAP}
              />
            ),
          ),
        )}
      </svg>
    </div>
  );
}
