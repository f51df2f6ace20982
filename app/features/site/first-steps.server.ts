import { FIRST_STEPS, stepsFor, type FirstStep } from '#app/domain/accounts/account.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { repos } from './repositories.server.ts';

/** The state of one of an account's first steps. */
export interface StepState {
  step: FirstStep;
  state: 'open' | 'done' | 'skipped';
}

/**
 * The state of each first step open to an account: done when there is a vial in use, a schedule or a choice about
 * reminders; skipped when its owner skipped it.
 */
export async function readStepStates(ctx: Ctx, user: SignedInUser): Promise<StepState[]> {
  authorise(ctx.actor, 'account.read');
  const { compounds, notificationChoices, schedules, users } = repos(ctx);
  const [vials, plans, choices, account] = await Promise.all([
    compounds.listSlots(user.id, 1),
    schedules.list(user.id, 0, 1),
    notificationChoices.find(user.id),
    users.find(user.id),
  ]);
  const done: Readonly<Record<FirstStep, boolean>> = {
    vial: vials.length > 0,
    plan: plans.length > 0,
    reminders: Object.keys(choices).length > 0,
  };
  return stepsFor(user.entitlement.isPremium).map((step) => {
    const isSkipped = account?.skippedSteps?.includes(step) ?? false;
    return { step, state: done[step] ? 'done' : isSkipped ? 'skipped' : 'open' };
  });
}

/** Skips one first step for the signed-in user, or all of them (`null`). */
export async function skipFirstSteps(ctx: Ctx, step: FirstStep | null): Promise<void> {
  const { id } = authoriseUser(ctx.actor, 'account.change');
  await repos(ctx).users.skipFirstSteps(id, step === null ? FIRST_STEPS : [step]);
}

/** The page after the steps: Today, or the calculator on the free plan. */
export const homeAfterSteps = ({ entitlement }: SignedInUser): string =>
  entitlement.isPremium ? '/dashboard/schedule' : '/dashboard';
