import { LinkButton } from '../ui/button.tsx';
import { MarginSection } from './margin-section.tsx';

/** What the product will do and does not do yet. An entry leaves when its page is there. */
const COMING = [
  { name: 'Vials', text: 'what is left in each, and its beyond-use date' },
  { name: 'Schedule', text: 'doses, reminders and adherence' },
  { name: 'Tracking', text: 'injection sites and side effects' },
  { name: 'Analytics', text: 'charts with the numbers behind them' },
  { name: 'Vendors', text: 'suppliers, lots and price per mg' },
  { name: 'Referrals', text: 'free premium for both sides' },
  { name: 'Install and offline', text: 'the calculator without a connection' },
] as const;

export function ComingSoon({ demoHref }: { demoHref: string }) {
  return (
    <MarginSection id="coming-soon" title="Coming soon">
      <ul>
        {COMING.map(({ name, text }) => (
          <li key={name} className="border-b border-line py-2">
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
