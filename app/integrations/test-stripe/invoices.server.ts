import { PRICE_CENTS } from '#app/domain/billing/plan-constants.ts';
import { chargeObject, invoiceObject } from './objects.server.ts';
import type { Scene } from './context.server.ts';
import type { TestCustomer, TestInvoice, TestSubscription } from './state.server.ts';

/** What a total costs somebody who has credit, and the credit that is left. */
export function afterCredit(total: number, credit: number): { amountDue: number; credit: number } {
  return { amountDue: Math.max(0, total - credit), credit: Math.max(0, credit - total) };
}

function customerOf(scene: Scene, id: string): TestCustomer {
  const customer = scene.world.customers[id];
  if (customer === undefined) throw new Error('A subscription without its customer.');
  return customer;
}

/**
 * Tries to charge a bill.
 * @returns whether it is paid now
 */
export function attemptPayment(scene: Scene, subscription: TestSubscription, invoice: TestInvoice): boolean {
  const customer = customerOf(scene, invoice.customer);
  if (invoice.amountDue > 0) invoice.attempts += 1;
  if (invoice.amountDue > 0 && customer.card.declines) {
    scene.emit('invoice.payment_failed', invoiceObject(invoice, subscription.userId));
    return false;
  }
  invoice.status = 'paid';
  if (invoice.amountDue > 0) {
    const id = scene.newId('ch');
    scene.world.charges[id] = {
      id,
      customer: customer.id,
      amount: invoice.amountDue,
      amountRefunded: 0,
      created: scene.now,
      dispute: 'none',
    };
    invoice.charge = id;
    scene.emit('charge.succeeded', chargeObject(scene.world.charges[id]));
  }
  scene.emit('invoice.paid', invoiceObject(invoice, subscription.userId));
  return true;
}

/** Writes a bill for a subscription, credit taken off. @param total US cents; below zero adds to the credit */
export function writeBill(
  scene: Scene,
  subscription: TestSubscription,
  total: number = PRICE_CENTS[subscription.plan],
): TestInvoice {
  const customer = customerOf(scene, subscription.customer);
  const { amountDue, credit } = afterCredit(total, customer.credit);
  customer.credit = credit;
  const invoice: TestInvoice = {
    id: scene.newId('in'),
    customer: customer.id,
    subscription: subscription.id,
    created: scene.now,
    total,
    amountDue,
    status: 'open',
    attempts: 0,
    charge: null,
  };
  scene.world.invoices[invoice.id] = invoice;
  subscription.latestInvoice = invoice.id;
  return invoice;
}

/** The bill of a subscription that waits to be paid. */
export function openBill(scene: Scene, subscription: TestSubscription): TestInvoice | null {
  const invoice = subscription.latestInvoice && scene.world.invoices[subscription.latestInvoice];
  return invoice && invoice.status === 'open' ? invoice : null;
}
