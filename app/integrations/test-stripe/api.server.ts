import { createHash } from 'node:crypto';
import { getResponse, http, HttpResponse, type HttpHandler } from 'msw';
import { PLAN_INTERVAL, planOfInterval, PLANS, type Plan, PRICE_CENTS } from '#app/domain/billing/plans.ts';
import { numberAt, textAt, type FormBody, parseFormBody } from './form-body.server.ts';
import {
  type StripeContext,
  entryOf,
  type TestCustomer,
  type TestSubscription,
  type TestSession,
  keepAnswer,
  contextOf,
  type StateStore,
  type StripeState,
} from './state.server.ts';
import {
  afterCredit,
  periodAfter,
  planChangeCost,
  finish,
  tellUpdate,
  changePlan,
  catchUp,
} from './subscriptions.server.ts';
import {
  chargeObject,
  customerObject,
  invoiceObject,
  sessionObject,
  subscriptionObject,
} from './objects.server.ts';
import type { Log } from '#app/domain/log.ts';

/** An error response of Stripe. */
class Refusal extends Error {
  readonly status: number;
  readonly body: { error: { type: string; code?: string; message: string; param?: string } };

  constructor(status: number, error: Refusal['body']['error']) {
    super(error.message);
    this.name = 'Refusal';
    this.status = status;
    this.body = { error };
  }
}

/** Stripe's response for an unknown id. */
function missing(what: string, id: string): Refusal {
  return new Refusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
  });
}

/** Stripe's response to an invalid request. */
function invalid(message: string, param?: string): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', message, ...(param ? { param } : {}) });
}

/** Stripe's response to a declined card. */
function declined(): Refusal {
  return new Refusal(402, {
    type: 'card_error',
    code: 'card_declined',
    message: 'Your card was declined.',
  });
}

/** Ids of prices created beforehand, from the settings. */
type PriceIds = Readonly<Partial<Record<Plan, string>>>;

/** One request to the simulated Stripe. */
interface Call {
  context: StripeContext;
  /** The id in the path, if any. */
  id: string;
  body: FormBody;
  prices: PriceIds;
  /** Origin of this site, which serves the simulated Stripe's pages. */
  appUrl: string;
}

/** The customer named in a request. */
function customerFor(
  { context, body }: Call,
  id: string | undefined = textAt(body, 'customer'),
): TestCustomer {
  const customer = entryOf(context.state.customers, id);
  if (customer === undefined) throw missing('customer', id ?? '');
  return customer;
}

/** The subscription named in a request. */
function subscriptionFor({ context }: Call, id: string | undefined): TestSubscription {
  const subscription = entryOf(context.state.subscriptions, id);
  if (subscription === undefined) throw missing('subscription', id ?? '');
  return subscription;
}

/** The plan of a request's first line, given by a price id or inline; null without one. */
function planFor({ body, prices }: Call, ...path: string[]): Plan | null {
  const price = textAt(body, ...path, '0', 'price');
  const known = PLANS.find((plan) => price !== undefined && price === prices[plan]);
  if (known) return known;
  if (price !== undefined) throw missing('price', price);
  const interval = textAt(body, ...path, '0', 'price_data', 'recurring', 'interval');
  if (interval === undefined) return null;
  const plan = planOfInterval(interval);
  if (plan === null)
    throw invalid(`Invalid interval: must be one of ${Object.values(PLAN_INTERVAL).join(', ')}`);
  return plan;
}

/** The trial end in a request; rejected if it is earlier than Stripe allows. */
function trialEndFor({ context, body }: Call, least: number, ...path: string[]): number | null {
  const end = numberAt(body, ...path);
  if (end === undefined) return null;
  if (end < context.now + least)
    throw invalid('The `trial_end` date has to be further in the future.', 'trial_end');
  return end;
}

function line(start: number, end: number, proration: boolean) {
  return {
    object: 'line_item',
    period: { start, end },
    parent: { subscription_item_details: { proration } },
  };
}

/** A preview of an invoice: for a plan change, or for the next renewal. */
function previewObject(call: Call) {
  const { context, body } = call;
  const subscription = subscriptionFor(call, textAt(body, 'subscription'));
  const { credit } = customerFor(call, subscription.customer);
  const plan = planFor(call, 'subscription_details', 'items');
  const { periodStart, periodEnd } = subscription;
  const base = { object: 'invoice', currency: 'usd', customer: subscription.customer };
  if (plan === null) {
    const total = PRICE_CENTS[subscription.plan];
    const lines = [line(periodEnd, periodAfter(periodEnd, subscription.plan), false)];
    return { ...base, total, amount_due: afterCredit(total, credit).amountDue, lines: { data: lines } };
  }
  const at = numberAt(body, 'subscription_details', 'proration_date') ?? context.now;
  const cost = planChangeCost(context, subscription, plan, at);
  const lines = [line(periodStart, periodEnd, true), line(cost.periodStart, cost.periodEnd, false)];
  return { ...base, total: cost.total, amount_due: cost.amountDue, lines: { data: lines } };
}

/** Stripe's minimum for a checkout's trial, in seconds. */
const LEAST_TRIAL = 48 * 3600;

function createCustomer({ context, body }: Call) {
  const id = context.newId('cus');
  const expYear = new Date(context.now * 1000).getUTCFullYear() + 4;
  const customer: TestCustomer = {
    id,
    userId: textAt(body, 'metadata', 'userId') ?? '',
    credit: 0,
    card: { id: context.newId('pm'), declines: false, expMonth: 12, expYear },
  };
  context.state.customers[id] = customer;
  return customerObject(customer);
}

function deleteCustomer(call: Call) {
  const { context, id } = call;
  customerFor(call, id);
  for (const subscription of Object.values(context.state.subscriptions))
    if (subscription.customer === id) finish(context, subscription);
  delete context.state.customers[id];
  return { id, object: 'customer', deleted: true };
}

function createCheckout(call: Call) {
  const { context, body, appUrl } = call;
  const plan = planFor(call, 'line_items');
  if (textAt(body, 'mode') !== 'subscription' || plan === null)
    throw invalid('Missing required param: line_items.');
  const session: TestSession = {
    id: context.newId('cs'),
    customer: customerFor(call).id,
    userId: textAt(body, 'client_reference_id') ?? '',
    plan,
    trialEnd: trialEndFor(call, LEAST_TRIAL, 'subscription_data', 'trial_end'),
    successUrl: textAt(body, 'success_url') ?? appUrl,
    cancelUrl: textAt(body, 'cancel_url') ?? appUrl,
    status: 'open',
    subscription: null,
  };
  context.state.sessions[session.id] = session;
  return sessionObject(session, `${appUrl}/upgrade/test-checkout/${session.id}`);
}

function createPortal(call: Call) {
  const { context, body, appUrl } = call;
  const portal = {
    id: context.newId('bps'),
    customer: customerFor(call).id,
    returnUrl: textAt(body, 'return_url') ?? appUrl,
  };
  context.state.portals[portal.id] = portal;
  const url = `${appUrl}/upgrade/test-portal/${portal.id}`;
  return { id: portal.id, object: 'billing_portal.session', customer: portal.customer, url };
}

function updateSubscription(call: Call) {
  const { context, id, body } = call;
  const subscription = subscriptionFor(call, id);
  if (subscription.status === 'canceled') throw invalid('A canceled subscription can only be read.');
  const until = trialEndFor(call, 1, 'trial_end');
  const plan = planFor(call, 'items');
  if (
    plan !== null &&
    !changePlan(context, subscription, plan, numberAt(body, 'proration_date') ?? context.now)
  )
    throw declined();
  if (until !== null) {
    const before = { status: subscription.status };
    subscription.status = 'trialing';
    subscription.periodEnd = until;
    tellUpdate(context, subscription, before);
  }
  return subscriptionObject(subscription);
}

function cancelSubscription(call: Call) {
  const subscription = subscriptionFor(call, call.id);
  if (subscription.status === 'canceled') throw missing('subscription', call.id);
  finish(call.context, subscription);
  return subscriptionObject(subscription);
}

/** The bills of a subscription with one status, newest first. */
function listInvoices(call: Call) {
  const { state } = call.context;
  const { id, userId } = subscriptionFor(call, textAt(call.body, 'subscription'));
  const status = textAt(call.body, 'status');
  const found = Object.values(state.invoices).filter(
    (invoice) => invoice.subscription === id && (status === undefined || invoice.status === status),
  );
  const data = found.toReversed().map((invoice) => invoiceObject(invoice, userId));
  return { object: 'list', has_more: false, url: '/v1/invoices', data };
}

function getCharge({ context, id }: Call) {
  const charge = entryOf(context.state.charges, id);
  if (charge === undefined) throw missing('charge', id);
  return chargeObject(charge);
}

/** One call of Stripe's API. */
interface ApiRoute {
  method: 'get' | 'post' | 'delete';

  path: string;
  answer(call: Call): object;
}

/** The calls that the simulated Stripe answers: those our adapter makes. */
const API_ROUTES: readonly ApiRoute[] = [
  { method: 'post', path: '/v1/customers', answer: createCustomer },
  { method: 'post', path: '/v1/customers/:id', answer: (call) => customerObject(customerFor(call, call.id)) },
  { method: 'delete', path: '/v1/customers/:id', answer: deleteCustomer },
  { method: 'post', path: '/v1/checkout/sessions', answer: createCheckout },
  { method: 'post', path: '/v1/billing_portal/sessions', answer: createPortal },
  {
    method: 'get',
    path: '/v1/subscriptions/:id',
    answer: (call) => subscriptionObject(subscriptionFor(call, call.id)),
  },
  { method: 'post', path: '/v1/subscriptions/:id', answer: updateSubscription },
  { method: 'delete', path: '/v1/subscriptions/:id', answer: cancelSubscription },
  { method: 'post', path: '/v1/invoices/create_preview', answer: previewObject },
  { method: 'get', path: '/v1/invoices', answer: listInvoices },
  { method: 'get', path: '/v1/charges/:id', answer: getCharge },
];

const API = 'https://api.stripe.com';

interface ApiOptions {
  store: StateStore;
  appUrl: string;
  prices: PriceIds;
  now(): Date;
  log: Log;
  /** Called after a step that put events into the outbox. */
  onEvents(): void;
}

interface Answer {
  status: number;
  body: unknown;
}

interface StripeCall {
  route: ApiRoute;
  id: string;
  text: string;
  key: string | null;
}

function compute(
  state: StripeState,
  { route, id, text }: StripeCall,
  { appUrl, prices, now }: ApiOptions,
): Answer {
  const context = contextOf(state, now());
  catchUp(context);
  const call: Call = { context, id, body: parseFormBody(text), prices, appUrl };
  try {
    return { status: 200, body: route.answer(call) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: error.body };
  }
}

/** Returns the same response for the same key; rejects a key reused with different contents. */
function answerOnce(state: StripeState, call: StripeCall, options: ApiOptions): Answer {
  const { key, route, id, text } = call;
  if (key === null || route.method !== 'post') return compute(state, call, options);
  const fingerprint = createHash('sha256').update(`${route.path} ${id} ${text}`).digest('base64url');
  const known = entryOf(state.answers, key);
  if (known === undefined) {
    const answer = compute(state, call, options);
    // Like Stripe, keeps the responses of requests it began to process, but not of invalid ones.
    if (answer.status === 200) keepAnswer(state, key, { fingerprint, ...answer });
    return answer;
  }
  if (known.fingerprint === fingerprint) return known;
  const { body } = invalid('Keys for idempotent requests can only be used with the same parameters.');
  return { status: 400, body: { error: { ...body.error, type: 'idempotency_error' } } };
}

/** A bug in here counts as a failure of Stripe's server: logged, and answered with 500. */
async function carryOut(call: StripeCall, options: ApiOptions): Promise<Answer> {
  try {
    const { answer, hasEvents } = await options.store.change((state) => ({
      answer: answerOnce(state, call, options),
      hasEvents: state.outbox.length > 0,
    }));
    if (hasEvents) options.onEvents();
    return answer;
  } catch (error) {
    options.log.error({ err: error, path: call.route.path }, 'the test payments failed');
    return { status: 500, body: { error: { type: 'api_error', message: 'The test payments failed.' } } };
  }
}

function handler(route: ApiRoute, options: ApiOptions): HttpHandler {
  return http[route.method](`${API}${route.path}`, async ({ request, params }) => {
    const call: StripeCall = {
      route,
      id: typeof params.id === 'string' ? params.id : '',
      text: request.method === 'GET' ? new URL(request.url).search.slice(1) : await request.text(),
      key: request.headers.get('idempotency-key'),
    };
    const answer = await carryOut(call, options);
    return HttpResponse.json(answer.body as Record<string, unknown>, {
      status: answer.status,
      headers: { 'Request-Id': 'req_test' },
    });
  });
}

/**
 * Stripe's API without a network: a `fetch` for Stripe's package, answered by msw. Nothing in this process is patched
 * (msw's `setupServer` would intercept every request of the server), so no other traffic is affected.
 */
export function testStripeFetch(options: ApiOptions): typeof fetch {
  const handlers = API_ROUTES.map((route) => handler(route, options));
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await getResponse(handlers, request);
    if (response !== undefined) return response;
    const { pathname } = new URL(request.url);
    const { body } = invalid(`Unrecognized request URL (${request.method}: ${pathname}).`);
    return Response.json(body, { status: 404 });
  };
}
