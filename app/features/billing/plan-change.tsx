import { Form } from '@remix-run/react';
import { Submit } from '#app/ui/submit.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Facts } from './plan-facts.tsx';

interface PlanChangeProps {
  plan: string;
  /** The instant the price was worked out for. */
  asOf: string;
  dueNow: string;
  credit: string | null;
  nextCharge: string | null;
  error?: string;
}

const ACTION = '/upgrade/change';

/** What a change of plan costs, before it is agreed to. */
export function PlanChange({ plan, asOf, dueNow, credit, nextCharge, error }: PlanChangeProps) {
  const isFree = dueNow === '$0.00';
  return (
    <section className="sheet grid gap-4 p-5">
      <p>What is left of the plan you have is taken off the price.</p>
      <Facts
        rows={[
          ['New plan', `Premium, ${plan}`],
          ['Due now', dueNow],
          ...(credit ? [['Credit for later charges', credit] as const] : []),
          ...(nextCharge ? [['Next charge', nextCharge] as const] : []),
        ]}
      />
      {error ? (
        <Notice tone="error" role="alert">
          {error}
        </Notice>
      ) : null}
      <Form method="post" action={ACTION} className="flex flex-wrap gap-3">
        <input type="hidden" name="plan" value={plan} />
        <input type="hidden" name="asOf" value={asOf} />
        <Submit
          action={ACTION}
          label={isFree ? `Change to ${plan}` : `Change to ${plan} and pay ${dueNow}`}
          pendingLabel="Changing..."
        />
        <LinkButton to="/upgrade">Keep the plan as it is</LinkButton>
      </Form>
    </section>
  );
}
