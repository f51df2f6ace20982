import { AppError } from '#app/domain/errors.ts';
import {
  BILLING_MESSAGES,
  testActionSchema,
  type TestActionInput,
} from '#app/domain/billing/billing-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { TestCheckout, TestPages, TestPortalView } from '#app/integrations/payments.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

const unknown = () => new AppError('NOT_FOUND', 'This test payment does not exist.');

function testPagesOf(ctx: Ctx): { testPages: TestPages; userId: string } {
  const { id: userId } = authoriseUser(ctx.actor, 'billing.use-test-pages');
  const { testPages, mode } = ctx.payments;
  if (mode === 'off') throw new AppError('NOT_CONFIGURED', BILLING_MESSAGES.off);
  if (testPages === null) throw unknown();
  return { testPages, userId };
}

/** A checkout of the test mode. @throws AppError NOT_FOUND, also for another account's */
export async function getTestCheckout(ctx: Ctx, id: string): Promise<TestCheckout> {
  const { testPages, userId } = testPagesOf(ctx);
  const checkout = await testPages.findCheckout(id);
  if (checkout === null || checkout.userId !== userId) throw unknown();
  return checkout;
}

/** Pays a checkout of the test mode. @returns where to send the browser @throws AppError NOT_FOUND */
export async function payTestCheckout(ctx: Ctx, id: string): Promise<string> {
  const { testPages } = testPagesOf(ctx);
  await getTestCheckout(ctx, id);
  return testPages.pay(id);
}

/** The portal of the test mode. @throws AppError NOT_FOUND, also for another account's */
export async function getTestPortal(ctx: Ctx, id: string): Promise<TestPortalView> {
  const { testPages, userId } = testPagesOf(ctx);
  const portal = await testPages.findPortal(id);
  if (portal === null || portal.userId !== userId) throw unknown();
  return portal;
}

/**
 * Performs one action in the test mode's portal.
 * @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT when the action is not possible now
 */
export async function actAtTestPortal(ctx: Ctx, id: string, input: TestActionInput): Promise<void> {
  const { testPages } = testPagesOf(ctx);
  await getTestPortal(ctx, id);
  const { action } = parseInput(testActionSchema, input);
  await testPages.act(id, action);
}
