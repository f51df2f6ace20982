import { FLAG_WORDS, flagStates, FLAGS, type FlagName } from '#app/domain/flags/flags.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { switchFlagSchema, type SwitchFlagInput } from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise, authoriseRecentOver } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { createCache } from '#app/platform/cache.server.ts';
import { repos } from './repositories.server.ts';

const cached = createCache('switches', (ctx) => repos(ctx).featureFlags.list());

/** Whether a flag is on, as of a few seconds ago. */
export async function isSwitchedOn(ctx: Ctx, name: FlagName): Promise<boolean> {
  return flagStates(await cached.read(ctx))[name];
}

/** @throws AppError SWITCHED_OFF with a message for users */
export async function requireSwitchedOn(ctx: Ctx, name: FlagName): Promise<void> {
  if (!(await isSwitchedOn(ctx, name))) throw new AppError('SWITCHED_OFF', FLAG_WORDS[name].refusal);
}

/** A flag as administrators see it. */
export interface FlagView {
  name: FlagName;
  isOn: boolean;
  /** Null if it was never changed. */
  changedAt: Date | null;
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function listFlags(ctx: Ctx): Promise<FlagView[]> {
  authorise(ctx.actor, 'flag.read');
  const stored = await repos(ctx).featureFlags.list();
  const states = flagStates(stored);
  const changes = new Map(stored.map(({ name, changedAt }) => [name, changedAt]));
  const names = FLAGS.filter((name) => ctx.isSelling || name !== 'trials');
  return names.map((name) => ({ name, isOn: states[name], changedAt: changes.get(name) ?? null }));
}

/**
 * Turns a flag on or off. Takes effect at once in this process, in others within seconds.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, CONFLICT if it already has that state
 */
export async function switchFlag(ctx: Ctx, input: SwitchFlagInput): Promise<void> {
  authoriseRecentOver(ctx, 'flag.switch', {});
  const { name, state, reason } = parseInput(switchFlagSchema, input);
  const isOn = state === 'on';
  const { [name]: wasOn } = flagStates(await repos(ctx).featureFlags.list());
  const already = () => conflict('WRONG_STATE', `${FLAG_WORDS[name].label} is already ${state}.`);
  if (wasOn === isOn) throw already();
  await ctx.transaction(async () => {
    if (!(await repos(ctx).featureFlags.set(name, isOn, ctx.now()))) throw already();
    await recordAudit(ctx, {
      action: 'flag.switch',
      subjectId: `switch:${name}`,
      before: { isOn: !isOn },
      after: { isOn },
      reason,
    });
  });
  cached.forget(ctx);
}
