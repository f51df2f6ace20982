import { FIRST_STEPS, stepsFor, type FirstStep } from '#app/domain/accounts/account.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';

/** How far an account has come with one of its first steps. */
export interface StepState {
  step: FirstStep;
  state: 'open' | 'done' | 'skipped';
}

/**
 * How far an account has come with each of the steps that it may take: done when there is a vial in use, a plan, a
 * choice about reminders; skipped when its owner said so.
 */
export async function readStepStates(ctx: Ctx, user: SignedInUser): Promise<StepState[]> {
  authorise(ctx.actor, 'account.read');
  const { compounds, notificationChoices, schedules, users } = ctx.repos;
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

/** Remembers that the signed-in user does not want to take a step, or any of them. */
export async function skipFirstSteps(ctx: Ctx, step: FirstStep | null): Promise<void> {
  const { id } = authoriseUser(ctx.actor, 'account.change');
  await ctx.repos.users.skipFirstSteps(id, step === null ? FIRST_STEPS : [step]);
}

/** Where the steps lead in the end: to Today, or to the calculator where Today is part of Premium. */
export const homeAfterSteps = ({ entitlement }: SignedInUser): string =>
  entitlement.isPremium ? '/dashboard/schedule' : '/dashboard';
