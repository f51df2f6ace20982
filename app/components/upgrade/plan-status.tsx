import { Form } from '@remix-run/react';
import { Badge } from '../ui/badge.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

interface PlanStatusProps {
  premium: boolean;
  trialDaysLeft: number | null;
  /** The account has not had its free trial yet. */
  trialAvailable: boolean;
  /** Why the last attempt did not work. */
  error?: string;
}

function Current({ premium, trialDaysLeft }: Pick<PlanStatusProps, 'premium' | 'trialDaysLeft'>) {
  if (!premium)
    return <p>You are on the free plan: the calculator, and a history that lasts as long as the session.</p>;
  if (trialDaysLeft === null) return <p>You have Premium.</p>;
  return (
    <p>
      {`Your free trial runs for ${trialDaysLeft} more ${trialDaysLeft === 1 ? 'day' : 'days'}. Afterwards the account is free again; nothing is deleted.`}
    </p>
  );
}

/** What the account has now, and the one thing to do about it. */
export function PlanStatus({ premium, trialDaysLeft, trialAvailable, error }: PlanStatusProps) {
  return (
    <section aria-labelledby="plan-now" className="sheet grid gap-4 p-5">
      <h2 id="plan-now" className="flex items-center gap-3">
        Your plan <Badge tone={premium ? 'pen' : 'soft'}>{premium ? 'Pro' : 'Free'}</Badge>
      </h2>
      <Current premium={premium} trialDaysLeft={trialDaysLeft} />
      {error ? (
        <Notice tone="error" role="alert">
          {error}
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {!premium && trialAvailable ? (
          <Form method="post" action="/upgrade">
            <Button variant="primary" name="intent" value="trial">
              Start free trial
            </Button>
          </Form>
        ) : null}
        <LinkButton to="/dashboard/calculator">Back to the calculator</LinkButton>
      </div>
      {!premium ? (
        <p className="text-sm text-soft">
          {trialAvailable
            ? '14 days of Premium, once per account, no card needed. What this session holds is kept.'
            : 'This account has had its free trial.'}
        </p>
      ) : null}
    </section>
  );
}
