import type { MarkUnits, Syringe } from '#app/domain/calculator/calculation.ts';

/** The barrel in the drawing's own units: its left end (0 on the scale), length, top and height. */
export const BARREL = { x: 36, y: 34, width: 280, height: 38 } as const;

interface ScaleLabel {
  x: number;
  text: string;
}

/** The position of a number of units along the barrel, rounded to 0.01 so that server and browser render the same. */
export function positionOf(units: number, syringe: Syringe): number {
  const clamped = Math.min(Math.max(units, 0), syringe.barrelUnits);
  return Math.round((BARREL.x + (BARREL.width * clamped) / syringe.barrelUnits) * 100) / 100;
}

/** The marks as one path: longer ones every 5 units, the longest every 10. */
export function markPath(syringe: Syringe, mark: MarkUnits): string {
  const step = Number(mark);
  const count = Math.round(syringe.barrelUnits / step);
  let path = '';
  for (let index = 0; index <= count; index += 1) {
    const units = index * step;
    const length = units % 10 === 0 ? 14 : units % 5 === 0 ? 10 : Number.isInteger(units) ? 6 : 4;
    path += `M${positionOf(units, syringe)} ${BARREL.y}v${length}`;
  }
  return path;
}

/** The printed numbers: every 5 units on small barrels, every 10 on the others. */
export function scaleLabels(syringe: Syringe): ScaleLabel[] {
  const step = syringe.barrelUnits <= 50 ? 5 : 10;
  const labels: ScaleLabel[] = [];
  for (let units = step; units <= syringe.barrelUnits; units += step) {
    labels.push({ x: positionOf(units, syringe), text: String(units) });
  }
  return labels;
}

interface SyringeDrawingProps {
  syringe: Syringe;
  mark: MarkUnits;
  /** Units the plunger is at; the whole barrel if several draws are needed. */
  units: number;
  /** The text of the pointer, such as "10 units"; no pointer without it. */
  label?: string;
}

const BOTTOM = BARREL.y + BARREL.height;
/** The barrel extends a little past the last mark. */
const END = BARREL.x + BARREL.width + 15;

function Plunger({ x }: { x: number }) {
  return (
    <g className="syringe-plunger" transform={`translate(${x} 0)`}>
      <path d={`M0 ${BARREL.y + 1}h7v${BARREL.height - 2}h-7z`} className="fill-ink" />
      <path d={`M7 ${BARREL.y + 16}h360v6H7z`} className="fill-field stroke-edge" />
    </g>
  );
}

function Pointer({ x, label }: { x: number; label: string }) {
  const anchor = x < 70 ? 'start' : x > END - 60 ? 'end' : 'middle';
  const textX = anchor === 'start' ? x - 5 : anchor === 'end' ? x + 5 : x;
  return (
    <g className="fill-pen">
      <path d={`M${x - 6} ${BARREL.y - 11}h12l-6 9z`} />
      <text x={textX} y={BARREL.y - 16} textAnchor={anchor} className="syringe-pointer">
        {label}
      </text>
    </g>
  );
}

/** The syringe with its real scale, filled to the mark, on squared paper. */
export function SyringeDrawing({ syringe, mark, units, label }: SyringeDrawingProps) {
  const x = positionOf(units, syringe);
  const name = label ? `${syringe.label} syringe filled to ${label}` : `${syringe.label} syringe, empty`;
  return (
    <svg role="img" aria-label={name} viewBox="0 0 360 92" className="syringe">
      <defs>
        <pattern id="squares" width="8" height="8" patternUnits="userSpaceOnUse">
          <path d="M8 0H0v8" fill="none" className="stroke-line" strokeWidth="0.5" />
        </pattern>
      </defs>
      <rect width="360" height="92" fill="url(#squares)" />
      <path d={`M0 ${BARREL.y + 19}h24`} className="stroke-edge" strokeWidth="1.5" />
      <path d={`M22 ${BARREL.y + 13}h8l6-6v24l-6-6h-8z`} className="fill-edge" />
      <rect x={BARREL.x} y={BARREL.y} width={END - BARREL.x} height={BARREL.height} className="fill-sheet" />
      <rect
        x={BARREL.x}
        y={BARREL.y}
        width={Math.round((x - BARREL.x) * 100) / 100}
        height={BARREL.height}
        className="syringe-fill"
      />
      <Plunger x={x} />
      <path
        d={`M${BARREL.x} ${BARREL.y}H${END}M${BARREL.x} ${BOTTOM}H${END}`}
        className="stroke-ink"
        strokeWidth="1.5"
      />
      <path d={`M${END} ${BARREL.y - 8}v${BARREL.height + 16}`} className="stroke-ink" strokeWidth="3" />
      <path d={markPath(syringe, mark)} className="stroke-ink" strokeWidth="0.8" />
      {scaleLabels(syringe).map((scale) => (
        <text key={scale.text} x={scale.x} y={BOTTOM + 14} textAnchor="middle" className="syringe-label">
          {scale.text}
        </text>
      ))}
      {label ? <Pointer x={x} label={label} /> : null}
    </svg>
  );
}
