import { AppError } from '#app/domain/errors.ts';
import {
  SIDE_EFFECT_MESSAGES,
  resolveSchema,
  sideEffectQuerySchema,
  sideEffectSchema,
  updateSideEffectSchema,
  type ResolveInput,
  type SideEffectInput,
  type SideEffectQueryInput,
  type UpdateSideEffectInput,
  effectEnd,
  NO_END,
  type EffectEnd,
} from '#app/domain/tracking/side-effect-schema.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { AHEAD_MS, pastInstant } from '#app/platform/event-time.server.ts';
import { pageWithin, type Page } from '#app/domain/forms/paging.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { SideEffectRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import { given } from '#app/platform/partial-changes.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { pictureStorage, releaseFilesOf } from '#app/platform/files/storage-quota.server.ts';
import { checkLinks } from '#app/features/tracking/entry-links.server.ts';

/**
 * The end of a side effect from a validated day or instant.
 * @throws AppError INVALID_INPUT when it lies in the future or before the start
 */
function endOf(ctx: Ctx, text: string, startedAt: Date): EffectEnd {
  const end = effectEnd(text, startedAt, { now: ctx.now(), timeZone: ctx.timeZone, aheadMs: AHEAD_MS });
  if (!('problem' in end)) return end;
  const message = SIDE_EFFECT_MESSAGES[end.problem];
  throw new AppError('INVALID_INPUT', message, { fields: { resolvedDate: [message] } });
}

const noEffect = () => new AppError('NOT_FOUND', SIDE_EFFECT_MESSAGES.notFound);

const startOf = (ctx: Ctx, text: string) => pastInstant(ctx, text, 'startedAt', SIDE_EFFECT_MESSAGES.future);

/**
 * Logs a side effect. `saveKey` identifies one submission: sent twice, it is logged once.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, PLAN_LIMIT when the account is full
 */
export async function addSideEffect(ctx: Ctx, input: SideEffectInput): Promise<SideEffectRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { saveKey, ...fields } = parseInput(sideEffectSchema, input);
  const startedAt = startOf(ctx, fields.startedAt);
  const end = fields.resolvedDate ? endOf(ctx, fields.resolvedDate, startedAt) : NO_END;
  await checkLinks(ctx, user.id, fields, SIDE_EFFECT_MESSAGES);
  const id = idFromKey('fx', ctx.now(), user.id, saveKey);
  const effect = {
    name: fields.name,
    severity: fields.severity,
    startedAt,
    ...end,
    compoundId: fields.compoundId ?? null,
    doseId: fields.doseId ?? null,
    notes: fields.notes ?? null,
    images: [],
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  };
  await takeRows(
    ctx,
    { id: user.id, isPremium: true },
    { findEarlier: () => ctx.repos.sideEffects.find(user.id, id) },
  );
  if (await ctx.repos.sideEffects.create({ _id: id, userId: user.id, ...effect })) return { id, ...effect };
  return getSideEffect(ctx, id);
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getSideEffect(ctx: Ctx, id: string): Promise<SideEffectRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const effect = await ctx.repos.sideEffects.find(user.id, id);
  if (effect === null) throw noEffect();
  return effect;
}

/** The signed-in user's side effects, the latest start first. @throws AppError PREMIUM_REQUIRED */
export async function listSideEffects(
  ctx: Ctx,
  input: SideEffectQueryInput = {},
): Promise<Page<SideEffectRecord>> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { start, end, search, severity, state, ...paging } = sideEffectQuerySchema.parse(input);
  const range = instantsOfDays(start ?? null, end ?? null, ctx.timeZone);
  const selection = { range, search, severity, state };
  const { skip, ...page } = pageWithin(paging, await ctx.repos.sideEffects.count(user.id, selection));
  const items = await ctx.repos.sideEffects.list(user.id, selection, { skip, limit: page.limit });
  return { ...page, items };
}

/**
 * Changes the given fields; null clears a value.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND
 */
export async function updateSideEffect(
  ctx: Ctx,
  id: string,
  input: UpdateSideEffectInput,
): Promise<SideEffectRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { startedAt: start, resolvedDate, ...fields } = parseInput(updateSideEffectSchema, input);
  const present = await getSideEffect(ctx, id);
  await checkLinks(ctx, user.id, fields, SIDE_EFFECT_MESSAGES);
  const startedAt = start === undefined ? present.startedAt : startOf(ctx, start);
  const endText = resolvedDate === undefined ? present.resolvedDate : resolvedDate;
  const end = endText === null ? NO_END : endOf(ctx, endText, startedAt);
  const changes = { ...given(fields), startedAt, ...end, updatedAt: ctx.now() };
  const effect = await ctx.repos.sideEffects.update(user.id, id, changes);
  if (effect === null) throw noEffect();
  return effect;
}

/**
 * Marks a side effect as resolved on a day or at an instant, else now.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND
 */
export async function resolveSideEffect(
  ctx: Ctx,
  id: string,
  input: ResolveInput = {},
): Promise<SideEffectRecord> {
  authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { resolvedDate } = parseInput(resolveSchema, input);
  return updateSideEffect(ctx, id, { resolvedDate: resolvedDate ?? ctx.now().toISOString() });
}

/**
 * Deletes a side effect with its pictures.
 * @returns what was deleted
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND
 */
export async function deleteSideEffect(ctx: Ctx, id: string): Promise<SideEffectRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const removed = await ctx.repos.sideEffects.delete(user.id, id);
  if (removed === null) throw noEffect();
  await releaseFilesOf(pictureStorage(ctx), user.id, id);
  return removed;
}
