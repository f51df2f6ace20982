/** The colours that a pair of meanings stands on, by the class that paints them. */
const COLOURS = [
  { name: 'paper', className: 'bg-paper text-ink' },
  { name: 'sheet', className: 'bg-sheet text-ink' },
  { name: 'field', className: 'bg-field text-pen' },
  { name: 'soft on sheet', className: 'bg-sheet text-soft' },
  { name: 'pen', className: 'bg-pen text-on-pen' },
  { name: 'pen wash', className: 'bg-pen-wash text-pen-deep' },
  { name: 'good', className: 'bg-good-wash text-good' },
  { name: 'warn', className: 'bg-warn-wash text-warn' },
  { name: 'danger', className: 'bg-danger-wash text-danger' },
] as const;

/** Colours and type of `app/styles/tokens.css` as they are in the scheme that is on. */
export function Tokens() {
  return (
    <>
      <ul className="swatches">
        {COLOURS.map(({ name, className }) => (
          <li key={name} className={className}>
            {name} <span className="figure">0.250 mg</span>
          </li>
        ))}
      </ul>
      <div className="specimen">
        <p className="hero-title">Title of the landing page</p>
        <p className="font-serif text-2xl font-semibold">Title of a section</p>
        <p>
          Text of the page, and <a href="#tokens">a link in it</a>.
        </p>
        <p className="text-sm text-soft">What stands under a field.</p>
        <p className="text-xl">
          <span className="figure">0123456789</span> <span className="figure">0.100 ml</span>{' '}
          <span className="figure">2.50 mg/ml</span>
        </p>
      </div>
    </>
  );
}
