import {
  cancelClosedSubscriptions,
  endPremium,
  shiftRenewals,
} from '#app/features/billing/billing-changes.server.ts';
import { getBilling, changePlan, previewPlanChange } from '#app/features/billing/billing.server.ts';
import { buyPlan } from '#tests/support/billing.ts';
import { TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

/** Somebody who pays, cannot, and is cancelled from here. */
export async function pay(db: TestDatabase): Promise<void> {
  const { act, person } = await buyPlan(await newPerson(db, 'pays@example.org'));
  await act('card-declines', 'end-period', 'new-card', 'retry-payment', 'card-expires');
  await getBilling(person.ctx);
  const { plan, asOf } = await previewPlanChange(person.ctx);
  await changePlan(person.ctx, { plan, asOf: asOf.toISOString() });
  await endPremium(db.ctx(TERMINAL), person.signedIn.user.id);
  await shiftRenewals(db.ctx(TERMINAL));
  await cancelClosedSubscriptions(db.ctx(TERMINAL));
}
