import { Form } from '@remix-run/react';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

interface PlanStatusProps {
  isPremium: boolean;
  isPastDue: boolean;
  /** What the account has now, until when, and what comes then. */
  words: readonly string[];
  /** The card on file. */
  card: string | null;
  /** The account has not had its free trial yet. */
  trialAvailable: boolean;
  isDouble: boolean;
  canManage: boolean;
  /** The plan that the subscription can be changed to. */
  changeTo: string | null;
  /** Why the last attempt did not work. */
  error?: string;
}

function PortalButton({ isPastDue }: { isPastDue: boolean }) {
  return (
    <Form method="post" action="/upgrade" reloadDocument>
      <Button variant={isPastDue ? 'primary' : 'quiet'} name="intent" value="portal">
        {isPastDue ? 'Check your card' : 'Card, bills and cancellation'}
      </Button>
    </Form>
  );
}

function TrialButton() {
  return (
    <Form method="post" action="/upgrade">
      <Button variant="primary" name="intent" value="trial">
        Start free trial
      </Button>
    </Form>
  );
}

function Warnings({ isPastDue, isDouble }: Pick<PlanStatusProps, 'isPastDue' | 'isDouble'>) {
  return (
    <>
      {isPastDue ? (
        <Notice tone="warning" title="Your last payment failed">
          Often the card has expired or the bank has declined it. Another card puts it right at once.
        </Notice>
      ) : null}
      {isDouble ? (
        <Notice tone="warning" title="Two subscriptions run">
          Premium was bought twice. Cancel one of them under “Card, bills and cancellation”.
        </Notice>
      ) : null}
    </>
  );
}

/** What the account has now, and what can be done about it. */
export function PlanStatus(props: PlanStatusProps) {
  const { isPremium, isPastDue, words, card, trialAvailable, isDouble, canManage, changeTo, error } = props;
  const [now, ...more] = words;
  return (
    <section aria-labelledby="plan-now" className="sheet grid gap-4 p-5">
      <h2 id="plan-now" className="flex items-center gap-3">
        Your plan <Badge tone={isPremium ? 'pen' : 'soft'}>{isPremium ? 'Pro' : 'Free'}</Badge>
      </h2>
      <div className="grid gap-1">
        <p className="font-semibold">{now}</p>
        {more.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {card ? <p className="text-sm text-soft">{`Card: ${card}`}</p> : null}
      </div>
      <Warnings isPastDue={isPastDue} isDouble={isDouble} />
      {error ? (
        <Notice tone="error" role="alert">
          {error}
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {!isPremium && trialAvailable ? <TrialButton /> : null}
        {canManage ? <PortalButton isPastDue={isPastDue} /> : null}
        {changeTo ? <LinkButton to="/upgrade/change">{`Change to ${changeTo}`}</LinkButton> : null}
        <LinkButton to="/dashboard/calculator">Back to the calculator</LinkButton>
      </div>
      {isPremium ? null : (
        <p className="text-sm text-soft">
          {trialAvailable
            ? '14 days of Premium, once per account, no card needed. What this session holds is kept.'
            : 'This account has had its free trial.'}
        </p>
      )}
    </section>
  );
}
