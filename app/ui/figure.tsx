interface FigureProps {
  value: string;
  unit?: string;
  className?: string;
}

/** A number and its unit, in the figure font, always on one line. */
export function Figure({ value, unit, className = '' }: FigureProps) {
  return (
    <span className={`figure ${className}`}>
      {value}
      {unit ? <span className="figure-unit">{` ${unit}`}</span> : null}
    </span>
  );
}

const AMOUNT = /(\d[\d.]* (?:mg\/ml|µl\/mg|mcg|mg|ml|(?:U-40 )?units?|%))/;

/** Text in which no line break separates a number from its unit. */
export function Measured({ text }: { text: string }) {
  return text.split(AMOUNT).map((part, index) =>
    // The parts never change places, so the index is a stable key.
    index % 2 === 1 ? (
      <span key={index} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
