import { textAt, numberAt } from './form-body.server.ts';
import { finish, tellUpdate } from './subscription-life.server.ts';
import { chargeObject, customerObject, sessionObject, subscriptionObject } from './objects.server.ts';
import { changePlan } from './plan-change.server.ts';
import { previewObject } from './preview.server.ts';
import { declined, invalid, missing } from './api-error.server.ts';
import { customerFor, planFor, subscriptionFor, trialEndFor, type Call } from './requests.server.ts';
import { entryOf, type TestCustomer, type TestSession } from './state.server.ts';

/** Stripe wants a trial of a checkout to be this long at least, in seconds. */
const LEAST_TRIAL = 48 * 3600;

function createCustomer({ scene, body }: Call) {
  const id = scene.newId('cus');
  const expYear = new Date(scene.now * 1000).getUTCFullYear() + 4;
  const customer: TestCustomer = {
    id,
    userId: textAt(body, 'metadata', 'userId') ?? '',
    credit: 0,
    card: { id: scene.newId('pm'), declines: false, expMonth: 12, expYear },
  };
  scene.world.customers[id] = customer;
  return customerObject(customer);
}

function deleteCustomer(call: Call) {
  const { scene, id } = call;
  customerFor(call, id);
  for (const subscription of Object.values(scene.world.subscriptions))
    if (subscription.customer === id) finish(scene, subscription);
  delete scene.world.customers[id];
  return { id, object: 'customer', deleted: true };
}

function createCheckout(call: Call) {
  const { scene, body, appUrl } = call;
  const plan = planFor(call, 'line_items');
  if (textAt(body, 'mode') !== 'subscription' || plan === null)
    throw invalid('Missing required param: line_items.');
  const session: TestSession = {
    id: scene.newId('cs'),
    customer: customerFor(call).id,
    userId: textAt(body, 'client_reference_id') ?? '',
    plan,
    trialEnd: trialEndFor(call, LEAST_TRIAL, 'subscription_data', 'trial_end'),
    successUrl: textAt(body, 'success_url') ?? appUrl,
    cancelUrl: textAt(body, 'cancel_url') ?? appUrl,
    status: 'open',
    subscription: null,
  };
  scene.world.sessions[session.id] = session;
  return sessionObject(session, `${appUrl}/upgrade/test-checkout/${session.id}`);
}

function createPortal(call: Call) {
  const { scene, body, appUrl } = call;
  const portal = {
    id: scene.newId('bps'),
    customer: customerFor(call).id,
    returnUrl: textAt(body, 'return_url') ?? appUrl,
  };
  scene.world.portals[portal.id] = portal;
  const url = `${appUrl}/upgrade/test-portal/${portal.id}`;
  return { id: portal.id, object: 'billing_portal.session', customer: portal.customer, url };
}

function updateSubscription(call: Call) {
  const { scene, id, body } = call;
  const subscription = subscriptionFor(call, id);
  if (subscription.status === 'canceled') throw invalid('A canceled subscription can only be read.');
  const until = trialEndFor(call, 1, 'trial_end');
  const plan = planFor(call, 'items');
  if (plan !== null && !changePlan(scene, subscription, plan, numberAt(body, 'proration_date') ?? scene.now))
    throw declined();
  if (until !== null) {
    const before = { status: subscription.status };
    subscription.status = 'trialing';
    subscription.periodEnd = until;
    tellUpdate(scene, subscription, before);
  }
  return subscriptionObject(subscription);
}

function cancelSubscription(call: Call) {
  const subscription = subscriptionFor(call, call.id);
  if (subscription.status === 'canceled') throw missing('subscription', call.id);
  finish(call.scene, subscription);
  return subscriptionObject(subscription);
}

function getCharge({ scene, id }: Call) {
  const charge = entryOf(scene.world.charges, id);
  if (charge === undefined) throw missing('charge', id);
  return chargeObject(charge);
}

/** One call of Stripe's API. */
export interface ApiRoute {
  method: 'get' | 'post' | 'delete';
  /** `:id` stands for an id. */
  path: string;
  answer(call: Call): object;
}

/** The calls that the test Stripe answers: those that our adapter makes. */
export const API_ROUTES: readonly ApiRoute[] = [
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
  { method: 'get', path: '/v1/charges/:id', answer: getCharge },
];
