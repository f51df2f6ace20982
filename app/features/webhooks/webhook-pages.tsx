import type { SubmissionResult } from '@conform-to/react';
import { Form, Link } from '@remix-run/react';
import {
  WEBHOOK_EVENT_LABELS,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  webhookSchema,
} from '#app/domain/webhooks/webhook.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton, Submit, CopyButton } from '#app/ui/button.tsx';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { FieldError, errorId, Field } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Notice } from '#app/ui/notice.tsx';

const LIST = '/dashboard/profile/webhooks';
const CREATE = `${LIST}/new`;

/** A webhook as texts. */
export interface WebhookLine {
  id: string;
  url: string;
  events: readonly WebhookEvent[];
  created: string;
  /** Until when the old secret is valid; null without one. */
  oldSecretUntil: string | null;
  /** Null while deliveries arrive. */
  failingSince: string | null;
}

/** A delivery as texts. */
export interface DeliveryLine {
  id: string;
  eventId: string;
  /** The event in words. */
  what: string;
  at: string;
  outcome: string;
  isBad: boolean;
  /** When it is tried next; null if there is no further attempt. */
  next: string | null;
  body: string;
}

const NEW_WEBHOOK = (
  <LinkButton to={CREATE} variant="primary">
    New webhook
  </LinkButton>
);

const eventNames = (events: readonly WebhookEvent[]): string =>
  events.map((event) => WEBHOOK_EVENT_LABELS[event]).join('. ');

/** Without Premium a webhook can only be deleted. */
function Line({ webhook, isPremium }: { webhook: WebhookLine; isPremium: boolean }) {
  const { id, url, events, failingSince } = webhook;
  return (
    <li className="border-b border-line py-3">
      <p className="flex flex-wrap items-center gap-2">
        <Link
          to={isPremium ? `${LIST}/${id}` : `${LIST}/${id}/delete`}
          className="inline-flex min-h-11 items-center font-semibold"
        >
          <span className="min-w-0 break-all">{url}</span>
        </Link>
        {failingSince === null ? null : <Badge tone="warn">Failing</Badge>}
      </p>
      <p className="text-sm text-soft">{`${eventNames(events)}.`}</p>
    </li>
  );
}

interface WebhookListProps {
  webhooks: readonly WebhookLine[];
  /** The account has the maximum number of webhooks. */
  isFull: boolean;
  isPremium: boolean;
}

/** The account's webhooks. */
export function WebhookList({ webhooks, isFull, isPremium }: WebhookListProps) {
  const premium = isPremium ? null : (
    <Notice>
      <p>
        {'Webhooks are part of Premium. '}
        <Link to="/upgrade">See the plans</Link>
      </p>
    </Notice>
  );
  if (webhooks.length === 0)
    return (
      premium ?? (
        <EmptyState title="No webhooks yet" action={NEW_WEBHOOK} level={2}>
          A webhook tells another program, such as your home automation, when a dose is due or stock runs low.
        </EmptyState>
      )
    );
  return (
    <>
      {premium}
      <ul>
        {webhooks.map((webhook) => (
          <Line key={webhook.id} webhook={webhook} isPremium={isPremium} />
        ))}
      </ul>
      {isFull ? (
        <p>You have reached the maximum number of webhooks. Delete one to add another.</p>
      ) : isPremium ? (
        <div>{NEW_WEBHOOK}</div>
      ) : null}
    </>
  );
}

interface WebhookFormProps {
  /** The webhook to change; without it a new one is added. */
  webhook?: WebhookLine;
  lastResult?: SubmissionResult<string[]> | null;
}

function chosenEvents(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Adds or changes a webhook. */
export function WebhookForm({ webhook, lastResult }: WebhookFormProps) {
  const action = webhook === undefined ? CREATE : `${LIST}/${webhook.id}/edit`;
  const [form, fields] = useSchemaForm('webhook', webhookSchema, {
    lastResult,
    defaultValue: { url: webhook?.url ?? '', events: [...(webhook?.events ?? [])] },
  });
  const { id, name, errors, initialValue } = fields.events;
  const chosen = chosenEvents(initialValue);
  return (
    <SchemaForm form={form} action={action}>
      {webhook === undefined ? null : <p className="break-all text-soft">{webhook.url}</p>}
      <Field
        {...fieldProps(fields.url)}
        label="Address"
        type="url"
        inputMode="url"
        autoComplete="off"
        hint="Must begin with https:// and be on the public internet."
      />
      <fieldset id={id} tabIndex={-1} aria-describedby={errors?.[0] ? errorId(id) : undefined}>
        <legend className="mb-1 font-semibold">Events</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <label key={event} className="choice">
            <input type="checkbox" name={name} value={event} defaultChecked={chosen.includes(event)} />
            {WEBHOOK_EVENT_LABELS[event]}
          </label>
        ))}
        {errors?.[0] ? <FieldError id={id} error={errors[0]} /> : null}
      </fieldset>
      <p className="text-soft">
        Messages name the compound and the amount, unless you hide them in notifications.
      </p>
      <div className="flex flex-wrap gap-3">
        <Submit
          label={webhook === undefined ? 'Add webhook' : 'Save webhook'}
          pendingLabel="Saving..."
          action={action}
        />
        <LinkButton to={webhook === undefined ? LIST : `${LIST}/${webhook.id}`}>Cancel</LinkButton>
      </div>
    </SchemaForm>
  );
}

/** A new secret, which is never shown again. */
export function WebhookSecret({ id, url, secret }: { id: string; url: string; secret: string }) {
  return (
    <>
      <Notice tone="warning" role="status" title="Save this secret now">
        <p>It will not be shown again. Your program needs it to check that messages come from Vialbook.</p>
      </Notice>
      <div>
        <p className="text-sm break-all text-soft">{url}</p>
        <p>
          <code className="figure break-all whitespace-normal">{secret}</code>
        </p>
      </div>
      <div className="no-print flex flex-wrap gap-3">
        <CopyButton text={secret} label="Copy secret" />
        <LinkButton to={`${LIST}/${id}`} variant="primary">
          I have saved it
        </LinkButton>
      </div>
    </>
  );
}

function Delivery({ line, action }: { line: DeliveryLine; action: string }) {
  const { id, eventId, what, at, outcome, isBad, next, body } = line;
  return (
    <li className="grid gap-1 border-b border-line py-3">
      <div className="flex flex-wrap items-center gap-x-4">
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex flex-wrap items-center gap-2 font-semibold">
            {what}
            {isBad ? <Badge tone="warn">Failed</Badge> : null}
          </p>
          <p className="text-sm break-words text-soft">
            {`${at}. ${outcome}.${next === null ? '' : ` Next try ${next}.`}`}
          </p>
        </div>
        <Form method="post" action={action}>
          <input type="hidden" name="intent" value="again" />
          <input type="hidden" name="deliveryId" value={id} />
          <Button type="submit" aria-label={`Send again: ${what}, ${at}`}>
            Send again
          </Button>
        </Form>
      </div>
      <Disclosure summary={`Message ${eventId.slice(0, 12)}…`}>
        <code className="block text-sm break-all whitespace-pre-wrap">{body}</code>
      </Disclosure>
    </li>
  );
}

interface WebhookDetailsProps {
  webhook: WebhookLine;
  deliveries: readonly DeliveryLine[];
}

/** One webhook with its actions and last deliveries. */
export function WebhookDetails({ webhook, deliveries }: WebhookDetailsProps) {
  const { id, url, events, created, oldSecretUntil, failingSince } = webhook;
  const at = `${LIST}/${id}`;
  return (
    <>
      <div>
        <p className="font-semibold break-all">{url}</p>
        <p className="text-soft">{`${eventNames(events)}. Added ${created}.`}</p>
        {oldSecretUntil === null ? null : (
          <p className="text-soft">{`The old secret is valid until ${oldSecretUntil}.`}</p>
        )}
      </div>
      {failingSince === null ? null : (
        <Notice tone="warning">
          <p>{`Nothing has reached this address since ${failingSince}.`}</p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Form method="post" action={at}>
          <input type="hidden" name="intent" value="test" />
          <Button type="submit" variant="primary">
            Send a test event
          </Button>
        </Form>
        <LinkButton to={`${at}/edit`}>Change</LinkButton>
        <LinkButton to={`${at}/secret`}>New secret</LinkButton>
        <LinkButton to={`${at}/delete`}>Delete</LinkButton>
      </div>
      <section aria-labelledby="deliveries">
        <h2 id="deliveries">Recent deliveries</h2>
        {deliveries.length === 0 ? (
          <p className="text-soft">Nothing has been sent yet.</p>
        ) : (
          <ul>
            {deliveries.map((line) => (
              <Delivery key={line.id} line={line} action={at} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

export function DeleteWebhook({ webhook: { id, url } }: { webhook: WebhookLine }) {
  return (
    <Confirmation
      title="Delete this webhook?"
      action={`${LIST}/${id}/delete`}
      yes="Delete webhook"
      noHref={`${LIST}/${id}`}
    >
      <p className="font-semibold break-all">{url}</p>
      <p className="text-soft">
        It will receive no more events, and its list of deliveries will be deleted too.
      </p>
    </Confirmation>
  );
}

export function RotateSecret({ webhook: { id, url } }: { webhook: WebhookLine }) {
  return (
    <Confirmation
      title="Create a new secret?"
      action={`${LIST}/${id}/secret`}
      yes="Create a new secret"
      noHref={`${LIST}/${id}`}
      variant="primary"
      fields={
        <label className="choice">
          <input type="checkbox" name="endOld" />
          Stop using the old secret at once, because somebody else may know it
        </label>
      }
    >
      <p className="font-semibold break-all">{url}</p>
      <p className="text-soft">
        For 24 hours messages are signed with both secrets, so that your program can change to the new one.
      </p>
    </Confirmation>
  );
}
