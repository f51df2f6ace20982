import { syringeName, type MarkUnits, type Syringe } from '#app/domain/calculator/calculation.ts';
import { BARREL, BOTTOM, END, markPath, positionOf, scaleLabels } from './syringe-scale.ts';

interface SyringeDrawingProps {
  syringe: Syringe;
  mark: MarkUnits;
  /** Units the plunger is at; the whole barrel if several draws are needed. */
  units: number;
  /** The text of the pointer, such as "10 units"; no pointer without it. */
  label?: string;
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
  const name = `${syringeName(syringe)}${label ? ` filled to ${label}` : ', empty'}`;
  return (
    <div className="syringe">
      <svg role="img" aria-label={name} viewBox="0 0 360 92">
        <defs>
          <pattern id="squares" width="8" height="8" patternUnits="userSpaceOnUse">
            <path d="M8 0H0v8" fill="none" className="stroke-line" strokeWidth="0.5" />
          </pattern>
        </defs>
        <rect width="360" height="92" fill="url(#squares)" />
        <path d={`M0 ${BARREL.y + 19}h24`} className="stroke-edge" strokeWidth="1.5" />
        <path d={`M22 ${BARREL.y + 13}h8l6-6v24l-6-6h-8z`} className="fill-edge" />
        <rect
          x={BARREL.x}
          y={BARREL.y}
          width={END - BARREL.x}
          height={BARREL.height}
          className="fill-sheet"
        />
        <rect
          x={BARREL.x}
          y={BARREL.y}
          width={Math.round((x - BARREL.x) * 100) / 100}
          height={BARREL.height}
          className="syringe-fill"
        />
        <g className="syringe-plunger" transform={`translate(${x} 0)`}>
          <path d={`M0 ${BARREL.y + 1}h7v${BARREL.height - 2}h-7z`} className="fill-ink" />
          <path d={`M7 ${BARREL.y + 16}h360v6H7z`} className="fill-field stroke-edge" />
        </g>
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
    </div>
  );
}
