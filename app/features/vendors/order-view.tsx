import { Form } from '@remix-run/react';
import { stateText, type OrderState } from '#app/domain/vendors/order-states.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { OrderPapers, type PaperView } from './order-papers.tsx';
import { STATE_TONE } from './vendor-texts.ts';

/** A line of an order as texts. */
export interface OrderLineView {
  key: string;
  name: string;
  amount: string;
  quantity: number;
  price: string;
  lot: string | null;
  expires: string | null;
}

/** An order as texts. */
export interface OrderView {
  id: string;
  state: OrderState;
  next: readonly OrderState[];
  /** Received, but not all of its vials are there. */
  isUnfinished: boolean;
  lines: OrderLineView[];
  total: string;
  notes: string | null;
  steps: { state: OrderState; at: string }[];
  papers: PaperView[];
  canAddPaper: boolean;
}

const STEP_WORDS = { sent: 'Mark as sent', confirmed: 'Mark as confirmed' } as const;

function Lines({ lines, received }: { lines: readonly OrderLineView[]; received: boolean }) {
  const parcel = [
    { key: 'lot', label: 'Lot', cell: ({ lot }: OrderLineView) => lot ?? '–' },
    { key: 'expires', label: 'Expires', cell: ({ expires }: OrderLineView) => expires ?? '–' },
  ];
  return (
    <DataTable
      caption="What is ordered"
      rows={lines}
      rowKey={({ key }) => key}
      columns={[
        { key: 'name', label: 'Compound', cell: ({ name }) => name },
        { key: 'amount', label: 'Per vial', numeric: true, cell: ({ amount }) => amount },
        { key: 'quantity', label: 'Vials', numeric: true, cell: ({ quantity }) => quantity },
        { key: 'price', label: 'A vial', numeric: true, cell: ({ price }) => price },
        ...(received ? parcel : []),
      ]}
    />
  );
}

/** What can be done with an order where it stands. */
function Steps({ order: { id, state, next, isUnfinished } }: { order: OrderView }) {
  const path = `/dashboard/vendors/orders/${id}`;
  const isFirst = (step: OrderState) => next[0] === step;
  return (
    <div className="no-print flex flex-wrap gap-3">
      {(['sent', 'confirmed'] as const)
        .filter((step) => next.includes(step))
        .map((step) => (
          <Form key={step} method="post" action={path}>
            <input type="hidden" name="to" value={step} />
            <Button variant={isFirst(step) ? 'primary' : 'quiet'}>{STEP_WORDS[step]}</Button>
          </Form>
        ))}
      {next.includes('received') ? (
        <LinkButton to={`${path}/receive`} variant={isFirst('received') ? 'primary' : 'quiet'}>
          Receive
        </LinkButton>
      ) : null}
      {isUnfinished ? (
        <Form method="post" action={`${path}/receive`}>
          <Button variant="primary">Finish receiving</Button>
        </Form>
      ) : null}
      {state === 'draft' ? <LinkButton to={`${path}/edit`}>Change</LinkButton> : null}
      {next.includes('cancelled') ? (
        <LinkButton to={`${path}/cancel`} variant="plain">
          Cancel the order
        </LinkButton>
      ) : null}
      {state === 'draft' || state === 'cancelled' ? (
        <LinkButton to={`${path}/delete`} variant="plain" className="text-danger">
          Delete
        </LinkButton>
      ) : null}
    </div>
  );
}

interface OrderDetailProps {
  order: OrderView;
  /** What was wrong with a paper that was sent. */
  paperError?: string;
}

/** One order: state, lines, what can be done next, its papers, and the steps so far. */
export function OrderDetail({ order, paperError }: OrderDetailProps) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={STATE_TONE[order.state]}>{stateText(order.state)}</Badge>
        <span className="figure text-xl">{order.total}</span>
      </p>
      <Lines lines={order.lines} received={order.state === 'received'} />
      {order.notes ? <p className="max-w-prose whitespace-pre-line">{order.notes}</p> : null}
      <Steps order={order} />
      <OrderPapers
        path={`/dashboard/vendors/orders/${order.id}`}
        papers={order.papers}
        canAdd={order.canAddPaper}
        error={paperError}
      />
      <section aria-labelledby="steps-title">
        <h2 id="steps-title" className="text-xl">
          Steps
        </h2>
        <ol className="margin-rule mt-2 grid gap-1 ps-4">
          {order.steps.map(({ state, at }) => (
            <li key={state}>
              {stateText(state)} <span className="figure text-sm text-soft">{at}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
