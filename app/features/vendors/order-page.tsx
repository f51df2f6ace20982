import { Form, Link } from '@remix-run/react';
import { DocumentList } from '#app/ui/document-list.tsx';
import type { DocumentView } from '#app/domain/vendors/document-schema.ts';
import { stateText, type OrderState } from '#app/domain/vendors/order-states.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton, Submit } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { STATE_TONE } from './vendor-texts.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field, NumberField } from '#app/ui/fields.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { CERTIFICATE_FIELDS } from '#app/domain/lots/lot-schema.ts';

/** A line of an order as text. */
interface OrderLineView {
  key: string;
  name: string;
  /** For a blend: the components of a vial. */
  contents: string | null;
  amount: string;
  quantity: number;
  price: string;
  lot: string | null;
  /** The address of the lot's page; absent if it has none. */
  lotHref?: string | undefined;
  expires: string | null;
}

/** An order as text. */
interface OrderView {
  id: string;
  state: OrderState;
  next: readonly OrderState[];
  /** True if it was received but not all of its vials have been added. */
  isUnfinished: boolean;
  lines: OrderLineView[];
  total: string;
  notes: string | null;
  steps: { state: OrderState; at: string }[];
  papers: DocumentView[];
  canAddDocument: boolean;
}

interface OrderDetailProps {
  order: OrderView;
  /** Why the last document was refused. */
  documentError?: string;
}

/** The page of an order: state, lines, actions, documents and history. */
export function OrderDetail({ order, documentError }: OrderDetailProps) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={STATE_TONE[order.state]}>{stateText(order.state)}</Badge>
        <span className="figure text-xl">{order.total}</span>
      </p>
      <Lines lines={order.lines} received={order.state === 'received'} />
      {order.notes ? <p className="max-w-prose whitespace-pre-line">{order.notes}</p> : null}
      <Steps order={order} />
      <DocumentList
        path={`/dashboard/vendors/orders/${order.id}`}
        papers={order.papers}
        canAdd={order.canAddDocument}
        error={documentError}
      />
      <section aria-labelledby="steps-title">
        <h2 id="steps-title" className="text-xl">
          History
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
    {
      key: 'lot',
      label: 'Lot',
      cell: ({ lot, lotHref }: OrderLineView) =>
        lot && lotHref ? (
          <Link to={lotHref} className="inline-flex min-h-11 items-center wrap-anywhere">
            {lot}
          </Link>
        ) : (
          (lot ?? '–')
        ),
    },
    { key: 'expires', label: 'Expires', cell: ({ expires }: OrderLineView) => expires ?? '–' },
  ];
  return (
    <DataTable
      caption="Order lines"
      rows={lines}
      rowKey={({ key }) => key}
      columns={[
        {
          key: 'name',
          label: 'Compound',
          cell: ({ name, contents }) => (
            <>
              {name}
              {contents ? <span className="block text-sm text-soft">{contents}</span> : null}
            </>
          ),
        },
        { key: 'amount', label: 'Per vial', numeric: true, cell: ({ amount }) => amount },
        { key: 'quantity', label: 'Vials', numeric: true, cell: ({ quantity }) => quantity },
        { key: 'price', label: 'Price per vial', numeric: true, cell: ({ price }) => price },
        ...(received ? parcel : []),
      ]}
    />
  );
}

/** The actions that the order's state allows. */
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

interface ReceiveFormProps {
  action: string;
  lines: readonly OrderLineView[];
  values: Readonly<Record<string, string>>;
  errors: FieldErrors;
  formErrors: readonly string[];
}

/** The form to receive an order: lot, expiry and certificate of each line. */
export function ReceiveForm({ action, lines, values, errors, formErrors }: ReceiveFormProps) {
  const field = (name: string) => ({ name, defaultValue: values[name], error: errors[name]?.[0] });
  return (
    <Form method="post" action={action} noValidate className="grid gap-6">
      <ErrorSummary errors={formErrors} fields={fieldsToFix(errors)} />
      <p>Each vial is added as sealed, with this lot and its cost.</p>
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
          <Field
            {...field(`components.${key}`)}
            label="Components of a blend, in mg"
            hint="Such as BPC-157:5; TB-500:5. Leave empty for a single peptide."
          />
          <Disclosure
            summary={`Certificate of this lot${lines.length > 1 ? `, ${name}` : ''}`}
            open={CERTIFICATE_FIELDS.some((known) => Boolean(values[`${known}.${key}`]))}
          >
            <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
              <NumberField {...field(`purityPercent.${key}`)} label="Purity" unit="%" />
              <NumberField {...field(`netContentMg.${key}`)} label="Net content of one vial" unit="mg" />
              <Field {...field(`identityMethod.${key}`)} label="Identity tested by" hint="Such as LC-MS." />
              <Field {...field(`laboratory.${key}`)} label="Laboratory" />
              <Field {...field(`testedOn.${key}`)} label="Tested on" type="date" />
              <Field {...field(`reportKey.${key}`)} label="Report key" />
              <Field {...field(`reportUrl.${key}`)} label="Link to the report" inputMode="url" />
            </div>
          </Disclosure>
        </fieldset>
      ))}
      <div>
        <Submit label="Receive the order" pendingLabel="Receiving..." action={action} />
      </div>
    </Form>
  );
}
