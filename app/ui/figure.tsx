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

const AMOUNT = /(\d[\d.]* (?:mg\/ml|µl\/mg|mcg|mg|ml|(?:U-40 )?units?|%))/;

/** A sentence or a line of arithmetic in which no number parts from its unit at the end of a line. */
export function Measured({ text }: { text: string }) {
  return text.split(AMOUNT).map((part, index) =>
    // The text of a place never moves to another: the index is its name.
    index % 2 === 1 ? (
      <span key={index} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
