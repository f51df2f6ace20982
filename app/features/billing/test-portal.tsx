import { Form } from '@remix-run/react';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Facts } from './plan-facts.tsx';
import { TestMode } from './test-mode.tsx';

interface Step {
  action: string;
  label: string;
}

interface TestPortalProps {
  facts: readonly (readonly [name: string, value: string])[];
  /** What the customer does at the payment provider's page. */
  own: readonly Step[];
  /** What time, bank and shop do. */
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

/** Stands where the payment provider's own page for its customers stands otherwise. */
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
      <Steps id="other-steps" title="What time, bank and shop do" steps={others} />
      <div>
        <LinkButton to={returnPath} variant="primary">
          Back to Vialbook
        </LinkButton>
      </div>
    </div>
  );
}
