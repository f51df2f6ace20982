import type { ReactNode } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';

interface Plan {
  name: string;
  price: string;
  priceNote: string;
  lines: readonly string[];
  action: { label: string; href: string; primary: boolean };
}

/** The price list. Every line must name an existing feature. */
const PLANS: readonly Plan[] = [
  {
    name: 'Free',
    price: '$0',
    priceNote: 'for as long as you like',
    lines: [
      'Basic calculator, history for the session',
      'Export of your calculations',
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
      'Everything in Free, and calculations kept permanently',
      'Export of every kind of data',
      'Unlimited compounds',
      'Advanced analytics',
      'Smart notifications',
      'Protocol templates',
    ],
    action: { label: 'Start free trial', href: '/register?plan=trial', primary: true },
  },
];

/** The price list, with the button that starts each plan. */
export function Pricing({ hasSignUp }: { hasSignUp: boolean }) {
  return (
    <MarginSection id="pricing" title="Pricing">
      <p className="mb-4">Premium starts with a 14-day free trial. No card needed.</p>
      <Plans>
        {(plan) => (
          <>
            <Price plan={plan} />
            <Lines plan={plan} />
            {hasSignUp ? (
              <a
                href={plan.action.href}
                className={`btn mt-auto w-full${plan.action.primary ? ' btn-primary' : ''}`}
              >
                {plan.action.label}
              </a>
            ) : null}
          </>
        )}
      </Plans>
    </MarginSection>
  );
}

/** What the plans include, for signed-in users. @param props.prices false if the page shows prices elsewhere */
export function PlanContents({ prices }: { prices: boolean }) {
  return (
    <MarginSection id="pricing" title="What you get">
      <Plans>
        {(plan) => (
          <>
            {prices ? <Price plan={plan} /> : null}
            <Lines plan={plan} />
          </>
        )}
      </Plans>
    </MarginSection>
  );
}

function Plans({ children }: { children: (plan: Plan) => ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      {PLANS.map((plan) => (
        <article key={plan.name} className={plan.action.primary ? 'sheet plan plan-first' : 'sheet plan'}>
          <h3>{plan.name}</h3>
          {children(plan)}
        </article>
      ))}
    </div>
  );
}

function Price({ plan }: { plan: Plan }) {
  return (
    <p className="mt-2">
      <span className="plan-price unbroken">{plan.price}</span>{' '}
      <span className="unbroken text-soft">{plan.priceNote}</span>
    </p>
  );
}

function Lines({ plan }: { plan: Plan }) {
  return (
    <ul className="mt-4 mb-6 grid gap-2">
      {plan.lines.map((text) => (
        <li key={text} className="flex items-start gap-2">
          <Icon name="check" />
          <span className="flex-1">{text}</span>
        </li>
      ))}
    </ul>
  );
}
