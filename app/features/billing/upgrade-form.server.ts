import { upgradeSchema } from '#app/domain/billing/billing-schema.ts';
import { openPortal, startCheckout } from './billing.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { startTrial } from './trial.server.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { toPayments } from './payment-redirect.server.ts';
import { formAgain, submitForm } from '#app/platform/http/forms.server.ts';

type UpgradeForm = (typeof upgradeSchema)['_output'];

async function run(ctx: Ctx, { intent, plan }: UpgradeForm): Promise<Response> {
  if (intent === 'trial') {
    await startTrial(ctx);
    return done('/dashboard', 'Your free trial has started');
  }
  if (intent === 'checkout' && plan) return toPayments((await startCheckout(ctx, { plan })).url);
  return toPayments((await openPortal(ctx)).url);
}

/** One of the buttons of the plans page was pressed: start the trial, go to the checkout, go to the portal. */
export async function submitUpgrade(request: Request, ctx: Ctx) {
  const submitted = await submitForm(request, upgradeSchema, (form) => run(ctx, form));
  if (!submitted.ok) return formAgain(submitted);
  throw submitted.value;
}
