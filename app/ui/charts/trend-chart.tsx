/** A line laid out on the server; see `drawTrend`. */
interface TrendDrawing {
  width: number;
  height: number;
  path: string;
  dots: readonly { x: number; y: number }[];
  levels: readonly { y: number; label: string }[];
  days: readonly { x: number; label: string }[];
  last: { x: number; y: number; label: string };
}

/** A line of measurements, hidden from screen readers: the sentence above and the table below say the same. */
export function TrendChart({ drawing }: { drawing: TrendDrawing }) {
  const { width, height, path, dots, levels, days, last } = drawing;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="trend-chart">
      {levels.map(({ y, label }) => (
        <g key={y}>
          <line x1={48} x2={width - 104} y1={y} y2={y} className="trend-level" />
          <text x={42} y={y + 4} textAnchor="end" className="trend-label">
            {label}
          </text>
        </g>
      ))}
      {days.map(({ x, label }) => (
        <text key={x} x={x} y={height - 6} textAnchor="middle" className="trend-label">
          {label}
        </text>
      ))}
      <path d={path} className="trend-line" />
      {dots.map(({ x, y }, index) => (
        // Two measurements can have the same position, so the index is the key.
        <circle key={index} cx={x} cy={y} r={dots.length > 30 ? 2 : 3} className="trend-dot" />
      ))}
      <text x={last.x + 8} y={last.y + 4} className="trend-last">
        {last.label}
      </text>
    </svg>
  );
}
