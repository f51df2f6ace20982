import { Form } from '@remix-run/react';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Facts } from './plan-facts.tsx';
import { TestMode } from './test-mode.tsx';

interface TestCheckoutProps {
  plan: string;
  price: string;
  firstCharge: string;
  isOpen: boolean;
  cancelPath: string;
  error?: string;
}

/** Stands where the payment provider's checkout stands otherwise. */
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
          <p>This checkout is paid.</p>
          <LinkButton to="/upgrade/return" variant="primary">
            Go on
          </LinkButton>
        </div>
      )}
    </section>
  );
}
