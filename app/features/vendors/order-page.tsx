import { Link, Form } from '@remix-run/react';
import { UploadForm } from '#app/ui/upload-form.tsx';
import { stateText, type OrderState } from '#app/domain/vendors/order-states.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { STATE_TONE } from './vendor-texts.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Submit } from '#app/ui/submit.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';

/** A line of an order as texts. */
interface OrderLineView {
  key: string;
  name: string;
  amount: string;
  quantity: number;
  price: string;
  lot: string | null;
  expires: string | null;
}

/** An order as texts. */
interface OrderView {
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

const STEP_LABELS = { sent: 'Mark as sent', confirmed: 'Mark as confirmed' } as const;

function Lines({ lines, received }: { lines: readonly OrderLineView[]; received: boolean }) {
  const parcel = [
    { key: 'lot', label: 'Lot', cell: ({ lot }: OrderLineView) => lot ?? '–' },
    { key: 'expires', label: 'Expires', cell: ({ expires }: OrderLineView) => expires ?? '–' },
  ];
  return (
    <DataTable
      caption="Order lines"
      rows={lines}
      rowKey={({ key }) => key}
      columns={[
        { key: 'name', label: 'Compound', cell: ({ name }) => name },
        { key: 'amount', label: 'Per vial', numeric: true, cell: ({ amount }) => amount },
        { key: 'quantity', label: 'Vials', numeric: true, cell: ({ quantity }) => quantity },
        { key: 'price', label: 'Price per vial', numeric: true, cell: ({ price }) => price },
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
            <Button variant={isFirst(step) ? 'primary' : 'quiet'}>{STEP_LABELS[step]}</Button>
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
      {state === 'draft' ? <LinkButton to={`${path}/edit`}>Edit</LinkButton> : null}
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

/** A paper as texts. */
interface PaperView {
  id: string;
  name: string;
  /** "PDF, 120 kB, added 12 Nov 2026 08:30" */
  about: string;
}

interface OrderPapersProps {
  /** The order's page. */
  path: string;
  papers: readonly PaperView[];
  canAdd: boolean;
  error?: string;
}

/** The certificates and other papers of an order, and the form for another. */
function OrderPapers({ path, papers, canAdd, error }: OrderPapersProps) {
  return (
    <section aria-labelledby="papers-title">
      <h2 id="papers-title" className="text-xl">
        Certificates and documents
      </h2>
      {papers.length > 0 ? (
        <ul className="sheet mt-3 max-w-2xl">
          {papers.map(({ id, name, about }) => (
            <li key={id} className="vendor-line">
              <div className="min-w-0">
                <a href={`${path}/papers/${id}`} className="vendor-name">
                  {name}
                </a>
                <p className="figure text-sm text-soft">{about}</p>
              </div>
              <Link
                to={`${path}/papers/${id}/delete`}
                className="btn btn-plain no-print px-0 text-danger"
                aria-label={`Delete ${name}`}
              >
                Delete
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-1 max-w-prose text-soft">
          Keep the certificate of analysis of each lot here. Only you can see it.
        </p>
      )}
      {canAdd ? (
        <UploadForm
          action={`${path}/papers`}
          name="paper"
          label="Add a document"
          hint="A PDF, or a picture as JPEG, PNG or WebP; at most 5 MB."
          accept="application/pdf,image/jpeg,image/png,image/webp"
          button="Add document"
          error={error}
        />
      ) : (
        <p className="mt-3">An order can have ten documents. Delete one to add another.</p>
      )}
    </section>
  );
}

interface ReceiveFormProps {
  action: string;
  lines: readonly OrderLineView[];
  values: Readonly<Record<string, string>>;
  errors: FieldErrors;
  formErrors: readonly string[];
}

/** What the parcel says: lot and expiry of each product. */
export function ReceiveForm({ action, lines, values, errors, formErrors }: ReceiveFormProps) {
  const field = (name: string) => ({ name, defaultValue: values[name], error: errors[name]?.[0] });
  return (
    <Form method="post" action={action} noValidate className="grid gap-6">
      <ErrorSummary errors={formErrors} fields={fieldsToFix(errors)} />
      <p>Each vial is added to your vials as sealed, with this lot and its cost.</p>
      {lines.map(({ key, name, amount, quantity }) => (
        <fieldset key={key} className="grid gap-4 border-t border-line pt-4">
          <legend className="float-start w-full font-semibold">{`${quantity} × ${name}, ${amount}`}</legend>
          <Field {...field(`lot.${key}`)} label="Lot" hint="As printed on the vial. Optional." />
          <Field
            {...field(`expirationDate.${key}`)}
            label="Expiry date of the sealed vial"
            type="date"
            hint="Optional."
          />
        </fieldset>
      ))}
      <div>
        <Submit label="Receive the order" pendingLabel="Receiving..." action={action} />
      </div>
    </Form>
  );
}
