import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton, Submit } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

/** A page about the plan or a payment. */
export function PlanPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      {children}
    </>
  );
}

interface PlanStatusProps {
  isPremium: boolean;
  isPastDue: boolean;
  /** What the account has now, until when, and what happens then. */
  words: readonly string[];
  /** The card on file. */
  card: string | null;
  /** The account has not had its free trial yet. */
  trialAvailable: boolean;
  isDouble: boolean;
  canManage: boolean;
  /** The plan that the subscription can be changed to. */
  changeTo: string | null;
  /** Why the last attempt failed. */
  error?: string;
}

/** The account's plan, and what can be done about it. */
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

      {isPastDue ? (
        <Notice tone="warning" title="Your last payment failed">
          Your card may have expired or been declined. Updating your card fixes this right away.
        </Notice>
      ) : null}
      {isDouble ? (
        <Notice tone="warning" title="You have two subscriptions">
          You bought Premium twice. Cancel one subscription under “Card, bills and cancellation”.
        </Notice>
      ) : null}

      {error ? (
        <Notice tone="error" role="alert">
          {error}
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {!isPremium && trialAvailable ? (
          <Form method="post" action="/upgrade">
            <Button variant="primary" name="intent" value="trial">
              Start free trial
            </Button>
          </Form>
        ) : null}
        {canManage ? (
          <Form method="post" action="/upgrade" reloadDocument>
            <Button variant={isPastDue ? 'primary' : 'quiet'} name="intent" value="portal">
              {isPastDue ? 'Check your card' : 'Card, bills and cancellation'}
            </Button>
          </Form>
        ) : null}
        {changeTo ? <LinkButton to="/upgrade/change">{`Change to ${changeTo}`}</LinkButton> : null}
        <LinkButton to="/dashboard/calculator">Back to the calculator</LinkButton>
      </div>
      {isPremium ? null : (
        <p className="text-sm text-soft">
          {trialAvailable
            ? '14 days of Premium, once per account, no card needed. Your calculations from this session are kept.'
            : 'You have already used your free trial.'}
        </p>
      )}
    </section>
  );
}

const OFFERS = [
  { plan: 'monthly', title: 'Monthly', price: '$5', per: 'per month', note: 'Cancel any month.' },
  {
    plan: 'yearly',
    title: 'Yearly',
    price: '$30',
    per: 'per year',
    note: '$2.50 a month. Save 50%.',
  },
] as const;

/** The two ways to pay for the same Premium. */
export function PlanChoice({ firstCharge }: { firstCharge: string }) {
  return (
    <section aria-labelledby="plan-choice" className="mt-6 grid gap-4">
      <h2 id="plan-choice">Choose Premium</h2>
      <p className="max-w-prose">{`Same features, billed differently. ${firstCharge}`}</p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {OFFERS.map(({ plan, title, price, per, note }) => (
          <article key={plan} className="sheet grid gap-3 p-5">
            <h3>{title}</h3>
            <p>
              <span className="plan-price">{price}</span>{' '}
              <span className="whitespace-nowrap text-soft">{per}</span>
            </p>
            <p className="text-soft">{note}</p>
            <Form method="post" action="/upgrade" reloadDocument>
              <input type="hidden" name="plan" value={plan} />
              <Button className="w-full" name="intent" value="checkout">
                {`Choose ${plan}`}
              </Button>
            </Form>
          </article>
        ))}
      </div>
    </section>
  );
}

/** Names and values, line by line. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface PlanChangeProps {
  plan: string;
  /** The instant for which the price was computed. */
  asOf: string;
  dueNow: string;
  credit: string | null;
  nextCharge: string | null;
  error?: string;
}

const ACTION = '/upgrade/change';

/** The price of a plan change, with a button to confirm it. */
export function PlanChange({ plan, asOf, dueNow, credit, nextCharge, error }: PlanChangeProps) {
  const isFree = dueNow === '$0.00';
  return (
    <section className="sheet grid gap-4 p-5">
      <p>The unused part of your current plan is deducted from the price.</p>
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
        <LinkButton to="/upgrade">Keep current plan</LinkButton>
      </Form>
    </section>
  );
}

interface ReturnStatusProps {
  /** The provider has confirmed the payment. */
  isPaid: boolean;
  words: readonly string[];
}

/** After the checkout: the account's state as the payment provider has reported it. */
export function ReturnStatus({ isPaid, words }: ReturnStatusProps) {
  if (!isPaid) {
    return (
      <section className="sheet grid gap-4 p-5" role="status">
        <h2>Waiting for confirmation</h2>
        <p>
          The payment provider has not confirmed the payment yet. That usually takes a few seconds. Nothing is
          lost if you leave this page, and you will not be charged twice.
        </p>
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/upgrade/return" variant="primary" reloadDocument>
            Check again
          </LinkButton>
          <LinkButton to="/upgrade">See your plan</LinkButton>
        </div>
      </section>
    );
  }
  return (
    <section className="sheet grid gap-4 p-5" role="status">
      <h2>Premium is on</h2>
      <div className="grid gap-1">
        {words.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/dashboard" variant="primary">
          Go to the dashboard
        </LinkButton>
        <LinkButton to="/upgrade">See your plan</LinkButton>
      </div>
    </section>
  );
}
