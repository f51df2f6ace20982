interface FigureProps {
  value: string;
  unit?: string;
  className?: string;
}

/** A number and its unit, in the figure face, on one line whatever the width. */
export function Figure({ value, unit, className = '' }: FigureProps) {
  return (
    <span className={`figure ${className}`}>
      {value}
      {unit ? <span className="figure-unit">{` ${unit}`}</span> : null}
    </span>
  );
}
