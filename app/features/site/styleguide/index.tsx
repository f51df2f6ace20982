import { PageTitle } from '#app/ui/page-title.tsx';
import { Buttons, Fields } from './controls.tsx';
import { Messages, Structure } from './surfaces.tsx';
import { Tokens } from './tokens.tsx';

const PARTS = [
  { id: 'tokens', title: 'Tokens', Part: Tokens },
  { id: 'buttons', title: 'Pressed', Part: Buttons },
  { id: 'fields', title: 'Filled in', Part: Fields },
  { id: 'messages', title: 'Told', Part: Messages },
  { id: 'structure', title: 'Around it', Part: Structure },
] as const;

/** Every piece of `app/ui` in every state, for those who build pages of them. */
export function Styleguide() {
  return (
    <>
      <PageTitle>Style guide</PageTitle>
      <p className="max-w-prose text-soft">
        The pieces of app/ui. A page is made of these; a new look is a change here, not on a page.
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
