import { LinkButton } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';
import { PLANS, type Plan } from './plans.ts';

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

/** The price list. With `offer`, each plan ends in the button that begins it; signed-in readers have their own. */
export function Pricing({ offer = true }: { offer?: boolean }) {
  return (
    <MarginSection id="pricing" title="Pricing">
      <p className="mb-4">Premium begins with a 14-day free trial. No card needed.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {PLANS.map((plan) => (
          <PlanCard key={plan.name} plan={plan} offer={offer} />
        ))}
      </div>
    </MarginSection>
  );
}
