import { LinkButton } from '#app/ui/button.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';

/** What the product will do and does not do yet. An entry leaves when its page is there. */
const COMING = [
  { name: 'Demo', text: 'a filled notebook to walk through' },
  { name: 'More languages', text: 'English is the first' },
  { name: 'Label printers', text: 'vial labels straight to the roll, without a browser’s print page' },
] as const;

export function ComingSoon({ demoHref }: { demoHref: string }) {
  return (
    <MarginSection id="coming-soon" title="Coming soon">
      <ul className="grid gap-2">
        {COMING.map(({ name, text }) => (
          <li key={name}>
            <span className="font-semibold">{name}</span>
            <span className="text-soft">{` – ${text}`}</span>
          </li>
        ))}
      </ul>
      <LinkButton to={demoHref} preventScrollReset className="mt-5">
        See a demo
      </LinkButton>
    </MarginSection>
  );
}
