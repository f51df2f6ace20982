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

/** Numbers, with their unit if they have one, and everything between them. */
const PARTS = /\d[\d.]*(?: (?:mg\/ml|µl\/mg|mcg|mg|ml|(?:U-40 )?units?|%))?|\D+/g;

/** A text in pieces; every second one is a number with its unit. */
function piecesOf(text: string): string[] {
  const pieces = [''];
  for (const [part] of text.matchAll(PARTS)) {
    if (/^\d.* /.test(part)) pieces.push(part, '');
    else pieces.push(`${pieces.pop() ?? ''}${part}`);
  }
  return pieces;
}

/** Text in which no line break separates a number from its unit. */
export function Measured({ text }: { text: string }) {
  return piecesOf(text).map((part, index) =>
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
