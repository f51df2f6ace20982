import { PageTitle } from '#app/ui/page-head.tsx';
import { Buttons, Fields } from './controls.tsx';
import { Messages, Structure } from './surfaces.tsx';

/** Pairs of background and text colours, by their classes. */
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

/** Colours and type of `app/styles/tokens.css` in the current colour scheme. */
function Tokens() {
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
        <p className="text-sm text-soft">The hint below a field.</p>
        <p className="text-xl">
          <span className="figure">0123456789</span> <span className="figure">0.100 ml</span>{' '}
          <span className="figure">2.50 mg/ml</span>
        </p>
      </div>
    </>
  );
}

const PARTS = [
  { id: 'tokens', title: 'Tokens', Part: Tokens },
  { id: 'buttons', title: 'Buttons', Part: Buttons },
  { id: 'fields', title: 'Fields', Part: Fields },
  { id: 'messages', title: 'Messages', Part: Messages },
  { id: 'structure', title: 'Structure', Part: Structure },
] as const;

/** Every component of `app/ui` in every state, for developers. */
export function Styleguide() {
  return (
    <>
      <PageTitle>Style guide</PageTitle>
      <p className="max-w-prose text-soft">
        The components of app/ui. Pages are built from these; change a look here, not on a page.
      </p>
      {PARTS.map(({ id, title, Part }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`} className="mt-10">
          <h2 id={`${id}-title`}>{title}</h2>
          <Part />
        </section>
      ))}
    </>
  );
}
