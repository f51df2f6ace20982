import { calculateFigures } from '#app/domain/calculator/calculate.ts';
import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import type { HistoryEntry } from '#app/domain/calculator/history.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { visibleTo } from './history.server.ts';
import { newCalculationId } from '#app/platform/ids.server.ts';

/** Beside the calculation itself. */
export interface SaveOptions {
  /**
   * Made by the client for one submission of the form: a second save with the same key gives the first one's
   * calculation. At most 100 characters count.
   */
  saveKey?: string | null | undefined;
  /** When it was made, if that was earlier: without a connection. A time to come counts as now. */
  madeAt?: Date | undefined;
}

const NO_SESSION_MESSAGE =
  'A free account’s calculations belong to its sign-in session, which an API token does not have.';

const NOT_FOUND_MESSAGE = 'Calculation not found.';

/** @throws AppError INVALID_INPUT with the calculator's messages by field */
function checked(input: CalculationInput): CalculationInput {
  const parsed = parseCalculationForm({ ...input });
  if (parsed.ok) return parsed.input;
  const [message] = Object.values(parsed.fields).flat();
  throw new AppError('INVALID_INPUT', message ?? 'The calculation is not valid.', { fields: parsed.fields });
}

/** Takes a session-only calculation away again when its session ended while it was being saved. */
async function refuseIfEnded(ctx: Ctx, user: SignedInUser, id: string): Promise<void> {
  const now = ctx.now();
  if (await ctx.repos.sessions.isRunning(user.id, user.sessionId, now)) return;
  await ctx.repos.calculations.remove(visibleTo(user), id, now);
  throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
}

/**
 * Saves a calculation of the signed-in user: for good with premium, else for as long as this session lasts.
 * @param input within the limits, as `parseCalculationForm` or `parseCalculationJson` gives it; it is checked again
 * @throws AppError INVALID_INPUT, UNAUTHENTICATED; PREMIUM_REQUIRED for the personal token of a free account, which has no
 * session that it could belong to
 */
export async function saveCalculation(
  ctx: Ctx,
  input: CalculationInput,
  options: SaveOptions = {},
): Promise<HistoryEntry> {
  const user = authoriseUser(ctx.actor, 'calculation.save');
  if (user.apiToken && !user.entitlement.isPremium)
    throw new AppError('PREMIUM_REQUIRED', NO_SESSION_MESSAGE);
  const calculation = checked(input);
  const { concentration, injectionVolume } = calculateFigures(calculation);
  const now = ctx.now();
  const createdAt = options.madeAt !== undefined && options.madeAt < now ? options.madeAt : now;
  const id = newCalculationId(now);
  const signInId = user.entitlement.isPremium ? null : user.sessionId;
  const saveKey = options.saveKey?.slice(0, 100) || id;
  const { entry } = await ctx.repos.calculations.add(
    {
      id,
      userId: user.id,
      signInId,
      saveKey,
      createdAt,
      input: calculation,
      concentration,
      injectionVolume,
    },
    now,
  );
  if (signInId !== null) await refuseIfEnded(ctx, user, entry.id);
  return entry;
}

/**
 * One of the signed-in user's calculations.
 * @throws AppError NOT_FOUND for a missing, a foreign and another session's one alike
 */
export async function getCalculation(ctx: Ctx, id: string): Promise<HistoryEntry> {
  const user = authoriseUser(ctx.actor, 'calculation.read');
  const entry = await ctx.repos.calculations.find(visibleTo(user), id);
  if (entry === null) throw new AppError('NOT_FOUND', NOT_FOUND_MESSAGE);
  return entry;
}

/**
 * Removes one of the signed-in user's calculations.
 * @returns what was removed
 * @throws AppError NOT_FOUND
 */
export async function deleteCalculation(ctx: Ctx, id: string): Promise<HistoryEntry> {
  const user = authoriseUser(ctx.actor, 'calculation.remove');
  const removed = await ctx.repos.calculations.remove(visibleTo(user), id, ctx.now());
  if (removed === null) throw new AppError('NOT_FOUND', NOT_FOUND_MESSAGE);
  return removed;
}
