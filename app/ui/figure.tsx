interface FigureProps {
  value: string;
  unit?: string | undefined;
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

/** A few figures, each under its label, side by side. */
export function Figures({
  figures,
  className = '',
}: {
  figures: readonly { label: string; value: string; unit?: string | undefined }[];
  className?: string;
}) {
  return (
    <dl className={`statistics ${className}`}>
      {figures.map(({ label, value, unit }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Figure value={value} unit={unit} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Numbers, with their unit if they have one, and everything between them. */
const PARTS =
  /\d[\d.]*(?: (?:mg\/ml|IU\/ml|µl\/mg|mcg|mg|IU|ml|(?:U-\d\d )?units?|clicks?|sprays?|capsules?|%))?|\D+/g;

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
