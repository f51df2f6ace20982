import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
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
  effectDetailsOf,
  type EffectEnd,
  templateSchema,
  type TemplateInput,
  type SideEffectImage,
} from '#app/domain/tracking/side-effect-schema.ts';
import { pageFrom, type PageRequest } from '#app/platform/pagination.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { AHEAD_MS, pastInstant } from '#app/platform/event-time.server.ts';
import { pageWithin, type Page } from '#app/domain/forms/paging.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { instantsOfDays, type InstantRange } from '#app/domain/time/zoned-time.ts';
import type { SideEffectRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import { presentFields } from '#app/platform/partial-changes.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import {
  pictureStorage,
  releaseFilesOf,
  releaseFile,
  storeFile,
} from '#app/platform/files/storage-quota.server.ts';
import { recordChange } from '#app/features/webhooks/index.server.ts';
import { sideEffectData } from '#app/domain/webhooks/webhook.ts';
import { checkLinks } from '#app/features/tracking/entry-links.server.ts';
import {
  MAX_OWN_TEMPLATES,
  SIDE_EFFECT_TEMPLATES,
  onsetHours,
  ONSET_WINDOW_HOURS,
  summariseByName,
  summariseEffects,
  type EffectStatistics,
  type NamedStatistics,
} from '#app/domain/tracking/side-effects.ts';
import { IMAGE_MESSAGES, MAX_IMAGES_EACH } from '#app/domain/forms/image-schema.ts';
import { cleanPicture } from '#app/integrations/pictures.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';
import { periodSchema, type Period, type PeriodInput } from '#app/domain/forms/period.ts';
import { DAY_MS, HOUR_MS } from '#app/domain/time/calendar.ts';
import { repos } from '../repositories.server.ts';

/**
 * The end of a side effect from a validated day or instant.
 * @throws AppError INVALID_INPUT when it lies in the future or before the start
 */
function endOf(ctx: Ctx, text: string, startedAt: Date): EffectEnd {
  const end = effectEnd(text, startedAt, { now: ctx.now(), timeZone: ctx.timeZone, aheadMs: AHEAD_MS });
  if (!('problem' in end)) return end;
  throw fieldError('resolvedDate', SIDE_EFFECT_MESSAGES[end.problem]);
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
    ...effectDetailsOf(fields),
    name: fields.name,
    severity: fields.severity,
    startedAt,
    ...end,
    images: [],
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  };
  return ctx.transaction(async () => {
    await takeRows(
      ctx,
      { id: user.id, isPremium: true },
      { findEarlier: () => repos(ctx).sideEffects.find(user.id, id) },
    );
    if (!(await repos(ctx).sideEffects.create({ _id: id, userId: user.id, ...effect })))
      return getSideEffect(ctx, id);
    await recordChange(ctx, user.id, ['side-effect.created'], sideEffectData({ id, ...effect }));
    return { id, ...effect };
  });
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getSideEffect(ctx: Ctx, id: string): Promise<SideEffectRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const effect = await repos(ctx).sideEffects.find(user.id, id);
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
  const { skip, ...page } = pageWithin(paging, await repos(ctx).sideEffects.count(user.id, selection));
  const items = await repos(ctx).sideEffects.list(user.id, selection, { skip, limit: page.limit });
  return { ...page, items };
}

/** The same for the API. @throws AppError PREMIUM_REQUIRED, INVALID_INPUT */
export async function pageOfSideEffects(
  ctx: Ctx,
  {
    page,
    limit,
    cursor,
    updatedSince,
    ...input
  }: SideEffectQueryInput & PageRequest & { updatedSince?: Date | undefined },
) {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { start, end, search, severity, state } = sideEffectQuerySchema.parse(input);
  const range = instantsOfDays(start ?? null, end ?? null, ctx.timeZone);
  const selection = { range, search, severity, state, updatedSince };
  return pageFrom<SideEffectRecord>(
    { page, limit, cursor },
    {
      name: 'side-effects',
      kinds: ['instant', 'text'],
      placeOf: ({ startedAt, id }) => [startedAt, id],
      read: (slice) => repos(ctx).sideEffects.list(user.id, selection, slice),
      count: () => repos(ctx).sideEffects.count(user.id, selection),
    },
  );
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
  const changes = { ...presentFields(fields), startedAt, ...end, updatedAt: ctx.now() };
  return ctx.transaction(async () => {
    const effect = await repos(ctx).sideEffects.update(user.id, id, changes);
    if (effect === null) throw noEffect();
    await recordChange(ctx, user.id, ['side-effect.updated'], sideEffectData(effect));
    return effect;
  });
}

/**
 * Marks a side effect as resolved on the given day or at the given instant, by default now.
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
  return ctx.transaction(async () => {
    const removed = await repos(ctx).sideEffects.delete(user.id, id);
    if (removed === null) throw noEffect();
    await releaseFilesOf(pictureStorage(ctx), user.id, id);
    await recordChange(ctx, user.id, ['side-effect.deleted'], sideEffectData(removed));
    return removed;
  });
}

/** A template name for side effects. */
interface SideEffectTemplate {
  name: string;
  /** Added by the user. */
  isOwn: boolean;
}

/** The built-in templates, then the signed-in user's own. @throws AppError PREMIUM_REQUIRED */
export async function listTemplates(ctx: Ctx): Promise<SideEffectTemplate[]> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { templates } = await repos(ctx).trackingChoices.find(user.id);
  return [
    ...SIDE_EFFECT_TEMPLATES.map((name) => ({ name, isOwn: false })),
    ...templates.map((name) => ({ name, isOwn: true })),
  ];
}

/** @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, CONFLICT when it exists, or there are too many */
export async function addTemplate(ctx: Ctx, input: TemplateInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { name } = parseInput(templateSchema, input);
  const isThere = (await listTemplates(ctx)).some((known) => known.name.toLowerCase() === name.toLowerCase());
  if (isThere || !(await repos(ctx).trackingChoices.addTemplate(user.id, name, MAX_OWN_TEMPLATES)))
    throw conflict('ALREADY_EXISTS', SIDE_EFFECT_MESSAGES.templateThere);
}

/** Removes one of the signed-in user's own templates; side effects logged with it stay. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function removeTemplate(ctx: Ctx, input: TemplateInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { name } = parseInput(templateSchema, input);
  if (!(await repos(ctx).trackingChoices.deleteTemplate(user.id, name)))
    throw new AppError('NOT_FOUND', SIDE_EFFECT_MESSAGES.noTemplate);
}

/** A picture as it is sent to its owner. */
interface StoredPicture {
  bytes: Buffer;
  contentType: string;
}

const noPicture = () => new AppError('NOT_FOUND', IMAGE_MESSAGES.notFound);
const tooMany = () => conflict('LIMIT_REACHED', IMAGE_MESSAGES.each);

/**
 * Adds a picture to one of the signed-in user's side effects: re-encoded, without metadata.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_INPUT, CONFLICT when
 * there is no room for more, RATE_LIMITED
 */
export async function addSideEffectImage(
  ctx: Ctx,
  sideEffectId: string,
  sent: Uint8Array,
): Promise<SideEffectImage> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const effect = await getSideEffect(ctx, sideEffectId);
  if (effect.images.length >= MAX_IMAGES_EACH) throw tooMany();
  await ctx.throttle.take({ rule: THROTTLE_RULES.pictures, who: user.id });
  const { bytes, ...about } = await heavyWork('picture', user.id, () => cleanPicture(sent));
  const id = idFromKey('img', ctx.now(), user.id);
  const image = { id, ...about, bytes: bytes.length, addedAt: ctx.now() };
  const storage = pictureStorage(ctx);
  const { contentType } = about;
  const file = { id, of: sideEffectId, contentType, bytes, at: ctx.now() };
  await storeFile(ctx, storage, user.id, file, async () => {
    // In the meantime the side effect may have been deleted, or have reached its limit.
    if (!(await repos(ctx).sideEffects.addImage(user.id, sideEffectId, image, MAX_IMAGES_EACH)))
      throw tooMany();
    await recordChange(ctx, user.id, ['side-effect.updated'], sideEffectData(effect));
  });
  return image;
}

/** One of the signed-in user's pictures. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function readSideEffectImage(
  ctx: Ctx,
  sideEffectId: string,
  imageId: string,
): Promise<StoredPicture> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const picture = await repos(ctx).pictures.read(user.id, sideEffectId, imageId);
  if (picture === null) throw noPicture();
  return picture;
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteSideEffectImage(ctx: Ctx, sideEffectId: string, imageId: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  await ctx.transaction(async () => {
    if (!(await repos(ctx).sideEffects.deleteImage(user.id, sideEffectId, imageId, ctx.now())))
      throw noPicture();
    await releaseFile(pictureStorage(ctx), user.id, imageId);
    const effect = await getSideEffect(ctx, sideEffectId);
    await recordChange(ctx, user.id, ['side-effect.updated'], sideEffectData(effect));
  });
}

/** Statistics of side effects, overall and by name. */
interface SideEffectStats extends EffectStatistics {
  byName: NamedStatistics[];
}

/** The side effects of a period. */
interface SideEffectReport {
  period: Period;
  stats: SideEffectStats;
  /** Oldest first; at most {@link MAX_REPORTED}. */
  sideEffects: SideEffectRecord[];
  /** How many more there are than the listed ones. */
  leftOut: number;
}

/** The most entries in one report; the export has all. */
const MAX_REPORTED = 1000;

const EVER: InstantRange = { from: null, before: null };

async function statsOf(ctx: Ctx, ownerId: string, range: InstantRange): Promise<SideEffectStats> {
  const [effects, takenAt] = await Promise.all([
    repos(ctx).sideEffects.counted(ownerId, range),
    repos(ctx).takenDoses.takenTimes(ownerId, range.before ?? ctx.now()),
  ]);
  return { ...summariseEffects(effects, takenAt), byName: summariseByName(effects, takenAt) };
}

/** Statistics of all of the signed-in user's side effects. @throws AppError PREMIUM_REQUIRED */
export async function sideEffectStats(ctx: Ctx): Promise<SideEffectStats> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  return statsOf(ctx, user.id, EVER);
}

/**
 * The side effects that began in a period, with their statistics.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT for a period that ends before it starts or is longer than 5 years,
 * RATE_LIMITED while the previous report is still being made
 */
export async function sideEffectReport(ctx: Ctx, input: PeriodInput): Promise<SideEffectReport> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const period = parseInput(periodSchema, input);
  const range = instantsOfDays(period.start, period.end, ctx.timeZone);
  return heavyWork('report', user.id, async () => {
    const stats = await statsOf(ctx, user.id, range);
    const sideEffects: SideEffectRecord[] = [];
    for await (const batch of repos(ctx).sideEffects.stream(user.id, range)) {
      sideEffects.push(...batch.slice(0, MAX_REPORTED - sideEffects.length));
      if (sideEffects.length === MAX_REPORTED) break;
    }
    return { period, stats, sideEffects, leftOut: stats.count - sideEffects.length };
  });
}

/** Hours from the last dose before a side effect to its start; null when none was taken in the two weeks before. */
export async function onsetOf(ctx: Ctx, effect: SideEffectRecord): Promise<number | null> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { startedAt } = effect;
  // A dose can be taken well before or after it was due.
  const slack = 2 * DAY_MS;
  const from = new Date(startedAt.getTime() - ONSET_WINDOW_HOURS * HOUR_MS - slack);
  const before = new Date(startedAt.getTime() + slack);
  return onsetHours(startedAt, await repos(ctx).takenDoses.takenTimes(user.id, before, from));
}
