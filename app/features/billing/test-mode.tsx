import { Form } from '@remix-run/react';
import { Notice } from '#app/ui/notice.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Facts } from './plan-page.tsx';

/** Says that no money is charged here. */
export function TestMode() {
  return <Notice title="Test mode">No money is charged. This server simulates the payment provider.</Notice>;
}

interface TestCheckoutProps {
  plan: string;
  price: string;
  firstCharge: string;
  isOpen: boolean;
  cancelPath: string;
  error?: string;
}

/** Replaces the payment provider's checkout. */
export function TestCheckout({ plan, price, firstCharge, isOpen, cancelPath, error }: TestCheckoutProps) {
  return (
    <section className="sheet grid gap-4 p-5">
      <TestMode />
      <Facts
        rows={[
          ['Plan', `Premium, ${plan}`],
          ['Price', price],
          ['First charge', firstCharge],
        ]}
      />
      {error ? (
        <Notice tone="error" role="alert">
          {error}
        </Notice>
      ) : null}
      {isOpen ? (
        <Form method="post" className="flex flex-wrap gap-3">
          <Button variant="primary" name="card" value="works">
            Pay with a card that works
          </Button>
          <Button name="card" value="declines">
            Pay with a card that is declined
          </Button>
          <LinkButton to={cancelPath}>Back without paying</LinkButton>
        </Form>
      ) : (
        <div className="grid justify-items-start gap-3">
          <p>This checkout has been paid.</p>
          <LinkButton to="/upgrade/return" variant="primary">
            Continue
          </LinkButton>
        </div>
      )}
    </section>
  );
}

interface Step {
  action: string;
  label: string;
}

interface TestPortalProps {
  facts: readonly (readonly [name: string, value: string])[];
  /** What the customer can do at the payment provider. */
  own: readonly Step[];
  /** Simulate events. */
  others: readonly Step[];
  returnPath: string;
  error?: string;
}

function Steps({ id, title, steps }: { id: string; title: string; steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id}>{title}</h2>
      <Form method="post" className="flex flex-wrap gap-3">
        {steps.map(({ action, label }) => (
          <Button key={action} name="action" value={action}>
            {label}
          </Button>
        ))}
      </Form>
    </section>
  );
}

/** Replaces the payment provider's portal. */
export function TestPortal({ facts, own, others, returnPath, error }: TestPortalProps) {
  return (
    <div className="sheet grid gap-6 p-5">
      <TestMode />
      <Facts rows={facts} />
      {error ? (
        <Notice tone="error" role="alert">
          {error}
        </Notice>
      ) : null}
      <Steps id="own-steps" title="What you can do" steps={own} />
      <Steps id="other-steps" title="Simulate events" steps={others} />
      <div>
        <LinkButton to={returnPath} variant="primary">
          Back to Vialbook
        </LinkButton>
      </div>
    </div>
  );
}
