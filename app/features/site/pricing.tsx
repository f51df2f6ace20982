import { LinkButton } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';

interface Plan {
  name: string;
  price: string;
  priceNote: string;
  lines: readonly string[];
  action: { label: string; href: string; primary: boolean };
}

/** The price list. Every line names something that exists. */
const PLANS: readonly Plan[] = [
  {
    name: 'Free',
    price: '$0',
    priceNote: 'for as long as you like',
    lines: [
      'Basic calculator, history of the session',
      'Export of calculations',
      'Up to 3 compounds',
      'Basic tracking',
    ],
    action: { label: 'Create a free account', href: '/register', primary: false },
  },
  {
    name: 'Premium',
    price: '$5 per month',
    priceNote: 'or $30 per year',
    lines: [
      'Everything in Free, and calculations kept for good',
      'Data export of every kind',
      'Unlimited compounds',
      'Advanced analytics',
      'Smart notifications',
      'Protocol templates',
    ],
    action: { label: 'Start free trial', href: '/register?plan=trial', primary: true },
  },
];

/** The price list. With `offer` each plan has the button that starts it; signed-in readers use those of the billing page. */
export function Pricing({ offer = true }: { offer?: boolean }) {
  return (
    <MarginSection id="pricing" title="Pricing">
      <p className="mb-4">Premium starts with a 14-day free trial. No card needed.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {PLANS.map((plan) => (
          <PlanCard key={plan.name} plan={plan} offer={offer} />
        ))}
      </div>
    </MarginSection>
  );
}

function PlanCard({ plan, offer }: { plan: Plan; offer: boolean }) {
  return (
    <article className={plan.action.primary ? 'sheet plan plan-first' : 'sheet plan'}>
      <h3>{plan.name}</h3>
      <p className="mt-2">
        <span className="plan-price">{plan.price}</span>{' '}
        <span className="whitespace-nowrap text-soft">{plan.priceNote}</span>
      </p>
      <ul className="mt-4 mb-6 grid gap-2">
        {plan.lines.map((text) => (
          <li key={text} className="flex items-start gap-2">
            <Icon name="check" />
            <span className="flex-1">{text}</span>
          </li>
        ))}
      </ul>
      {offer ? (
        <LinkButton
          to={plan.action.href}
          variant={plan.action.primary ? 'primary' : 'quiet'}
          className="mt-auto w-full"
        >
          {plan.action.label}
        </LinkButton>
      ) : null}
    </article>
  );
}
