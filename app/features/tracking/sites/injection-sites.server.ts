import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import {
  type SiteId,
  SITE_IDS,
  suggestSite,
  type SiteSuggestion,
  type SiteUses,
} from '#app/domain/tracking/sites.ts';
import { authorise, authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import { pageFrom, type Changes, type PageRequest } from '#app/platform/pagination.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { AppError, fieldError } from '#app/domain/errors.ts';
import {
  logSiteSchema,
  SITE_MESSAGES,
  siteDetailsOf,
  updateSiteSchema,
  type LogSiteInput,
  type UpdateSiteInput,
  siteChoiceSchema,
  type SiteChoiceInput,
} from '#app/domain/tracking/injection-site-schema.ts';
import {
  pageWithin,
  pagingSchema,
  type Page,
  type PagingInput,
  type Period,
} from '#app/domain/forms/paging.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import { withTypedUnit } from '#app/domain/units/quantity.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { InjectionSiteRecord } from '#models/index.server.ts';
import { presentFields } from '#app/platform/partial-changes.server.ts';
import { pastInstant } from '#app/platform/event-time.server.ts';
import { checkLinks } from '#app/features/tracking/entry-links.server.ts';
import { calendarDay, daysBetween, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { repos } from '../repositories.server.ts';

/** The injection of a taken dose. */
interface DoseSite {
  doseId: string;
  site: SiteId;
  takenAt: Date;
  /** What was injected. */
  name: string;
  /** Decimal text in `doseUnit`; null when it is not known. */
  dose: string | null;
  /** mg unless given */
  doseUnit?: DoseUnit;
  /** Decimal text, ml. */
  volume?: string | null;
  /** The vial it came from, when it came from one. */
  compoundId?: string | null;
}

/** The id of the entry of a dose in the site log. */
export const siteEntryOfDose = (ctx: Ctx, ownerId: string, doseId: string) =>
  idFromKey('site', ctx.now(), ownerId, `dose ${doseId}`);

/**
 * Logs the site of a taken dose: one entry per dose. A second call replaces the entry, except for pain and notes added to
 * it.
 * @throws AppError FORBIDDEN for another user's dose
 */
export async function recordDoseSite(ctx: Ctx, ownerId: string, dose: DoseSite): Promise<void> {
  authorise(ctx.actor, 'site.record-dose', { ownerId });
  // A taken dose is recorded even when the account is full.
  await repos(ctx).rowQuota.add(ownerId, 1);
  const _id = siteEntryOfDose(ctx, ownerId, dose.doseId);
  const { compoundId = null, doseUnit = 'mg', volume = null } = dose;
  const entry = { ...dose, compoundId, doseUnit, volume, createdAt: ctx.now() };
  await repos(ctx).injectionSites.put({ _id, userId: ownerId, ...entry });
}

/**
 * Adds what only the site log has, such as volume and pain, to the entry of a dose that the signed-in user just logged.
 * Fields that are not given stay unchanged.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function describeDoseSite(
  ctx: Ctx,
  doseId: string,
  input: Omit<UpdateSiteInput, 'site' | 'takenAt' | 'name' | 'compoundId' | 'dose' | 'doseUnit'>,
): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const fields = Object.entries(siteDetailsOf(parseInput(updateSiteSchema, input)));
  await repos(ctx).injectionSites.update(
    user.id,
    siteEntryOfDose(ctx, user.id, doseId),
    Object.fromEntries(fields.filter(([, value]) => value !== null)),
  );
}

/** Removes the entry of a dose whose intake is undone, if there is one. */
export async function removeDoseSite(ctx: Ctx, ownerId: string, doseId: string): Promise<void> {
  authorise(ctx.actor, 'site.record-dose', { ownerId });
  await repos(ctx).injectionSites.delete(ownerId, siteEntryOfDose(ctx, ownerId, doseId));
}

const noEntry = () => new AppError('NOT_FOUND', SITE_MESSAGES.notFound);

const takenAtOf = (ctx: Ctx, text: string) => pastInstant(ctx, text, 'takenAt', SITE_MESSAGES.future);

/**
 * Logs an injection at a site. `saveKey` identifies one submission: sent twice, it is logged once.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, PLAN_LIMIT when the account is full
 */
export async function logSite(ctx: Ctx, input: LogSiteInput): Promise<InjectionSiteRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { saveKey, takenAt, ...fields } = withTypedUnit(parseInput(logSiteSchema, input), 'dose', 'doseUnit');
  const vialName = await checkLinks(ctx, user.id, fields, { ...SITE_MESSAGES, doseId: '' });
  const id = idFromKey('site', ctx.now(), user.id, saveKey);
  const entry = {
    ...siteDetailsOf(fields),
    site: fields.site,
    takenAt: takenAtOf(ctx, takenAt),
    name: fields.name ?? vialName,
    doseUnit: fields.doseUnit ?? 'mg',
    doseId: null,
    createdAt: ctx.now(),
  };
  await takeRows(
    ctx,
    { id: user.id, isPremium: true },
    { findEarlier: () => repos(ctx).injectionSites.find(user.id, id) },
  );
  if (await repos(ctx).injectionSites.create({ _id: id, userId: user.id, ...entry })) return { id, ...entry };
  return getSiteEntry(ctx, id);
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getSiteEntry(ctx: Ctx, id: string): Promise<InjectionSiteRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const entry = await repos(ctx).injectionSites.find(user.id, id);
  if (entry === null) throw noEntry();
  return entry;
}

/** The signed-in user's entries, newest first. @throws AppError PREMIUM_REQUIRED */
export async function listSiteEntries(ctx: Ctx, input: PagingInput = {}): Promise<Page<InjectionSiteRecord>> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const range = instantsOfDays(null, null, user.timeZone);
  const total = await repos(ctx).injectionSites.count(user.id, range);
  const { skip, ...page } = pageWithin(pagingSchema.parse(input), total);
  return {
    ...page,
    items: await repos(ctx).injectionSites.list(user.id, range, { skip, limit: page.limit }),
  };
}

/** The entries of a period for the API, newest first. @throws AppError PREMIUM_REQUIRED, INVALID_INPUT */
export async function pageOfSiteEntries(
  ctx: Ctx,
  { start, end, updatedSince, ...request }: PageRequest & Period & Changes,
) {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const selection = { ...instantsOfDays(start ?? null, end ?? null, user.timeZone), updatedSince };
  return pageFrom<InjectionSiteRecord>(request, {
    name: 'sites',
    kinds: ['instant', 'text'],
    placeOf: ({ takenAt, id }) => [takenAt, id],
    read: (slice) => repos(ctx).injectionSites.list(user.id, selection, slice),
    count: () => repos(ctx).injectionSites.count(user.id, selection),
  });
}

/** Looks up the blends that the doses of the given entries were drawn from. @throws AppError PREMIUM_REQUIRED */
export async function blendsOfEntries(
  ctx: Ctx,
  entries: readonly InjectionSiteRecord[],
): Promise<(entry: InjectionSiteRecord) => Blend | undefined> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const ids = entries.flatMap(({ doseId }) => (doseId === null ? [] : [doseId]));
  const blends = await repos(ctx).doses.blendsDrawn(user.id, ids);
  return ({ doseId }) => blends.get(doseId ?? '');
}

/**
 * Changes the given fields of an entry; null clears a value.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND
 */
export async function updateSiteEntry(
  ctx: Ctx,
  id: string,
  input: UpdateSiteInput,
): Promise<InjectionSiteRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { takenAt, ...fields } = withTypedUnit(parseInput(updateSiteSchema, input), 'dose', 'doseUnit');
  await checkLinks(ctx, user.id, fields, { ...SITE_MESSAGES, doseId: '' });
  if (fields.doseUnit !== undefined && fields.dose === undefined) {
    const { dose, doseUnit } = await getSiteEntry(ctx, id);
    // The unit alone would keep the number and mean another amount.
    if (dose !== null && doseUnit !== fields.doseUnit) throw fieldError('dose', SITE_MESSAGES.unitAlone);
  }
  const at = takenAt === undefined ? {} : { takenAt: takenAtOf(ctx, takenAt) };
  const entry = await repos(ctx).injectionSites.update(user.id, id, { ...presentFields(fields), ...at });
  if (entry === null) throw noEntry();
  return entry;
}

/** @returns what was removed. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteSiteEntry(ctx: Ctx, id: string): Promise<InjectionSiteRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const removed = await repos(ctx).injectionSites.delete(user.id, id);
  if (removed === null) throw noEntry();
  return removed;
}

/** One of the 16 sites with its last use. */
interface SiteState {
  site: SiteId;
  isOn: boolean;
  /** Calendar days since its last use, in the person's zone; null when it was never used. */
  days: number | null;
  lastUsedAt: Date | null;
}

/** All sites with their last use, and the suggested next one. */
interface SiteRotation {
  /** In list order. */
  sites: SiteState[];
  /** Null only when every site is off. */
  next: SiteSuggestion | null;
}

async function readRotation(ctx: Ctx, ownerId: string): Promise<SiteRotation> {
  const today = calendarDay(ctx.now(), ctx.timeZone);
  const lastUses = await repos(ctx).injectionSites.lastUses(ownerId);
  const { sitesOff } = await repos(ctx).trackingChoices.find(ownerId);
  const uses: SiteUses = new Map(
    [...lastUses].map(([site, lastUsedAt]) => [
      site,
      { lastUsedAt, days: Math.max(0, daysBetween(calendarDay(lastUsedAt, ctx.timeZone), today)) },
    ]),
  );
  const sites = SITE_IDS.map((site) => ({
    site,
    isOn: !sitesOff.includes(site),
    days: uses.get(site)?.days ?? null,
    lastUsedAt: uses.get(site)?.lastUsedAt ?? null,
  }));
  const enabled = sites.filter(({ isOn }) => isOn).map(({ site }) => site);
  return { sites, next: suggestSite(enabled, uses) };
}

/** The signed-in user's sites. @throws AppError PREMIUM_REQUIRED */
export async function siteRotation(ctx: Ctx): Promise<SiteRotation> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  return readRotation(ctx, user.id);
}

/** The sites of a dose's owner, to choose one when taking the dose. @throws AppError FORBIDDEN */
export async function siteRotationOf(ctx: Ctx, ownerId: string): Promise<SiteRotation> {
  authorise(ctx.actor, 'site.record-dose', { ownerId });
  return readRotation(ctx, ownerId);
}

/**
 * Sets which of the sites the signed-in user uses; the others are off and never suggested.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT when none is left
 */
export async function chooseSites(ctx: Ctx, input: SiteChoiceInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { sites } = parseInput(siteChoiceSchema, input);
  const off = SITE_IDS.filter((site) => !sites.includes(site));
  await repos(ctx).trackingChoices.setSitesOff(user.id, off);
}
