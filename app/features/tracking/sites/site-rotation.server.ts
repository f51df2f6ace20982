import { parseInput } from '#app/domain/forms/fields.ts';
import { siteChoiceSchema, type SiteChoiceInput } from '#app/domain/tracking/injection-site-schema.ts';
import {
  SITE_IDS,
  type SiteId,
  suggestSite,
  type SiteSuggestion,
  type SiteUses,
} from '#app/domain/tracking/sites.ts';
import { calendarDay, daysBetween } from '#app/domain/time/zoned-time.ts';
import { authorise, authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** One of the 16 sites with its last use. */
export interface SiteState {
  site: SiteId;
  isOn: boolean;
  /** Calendar days since its last use, in the person's zone; null when it was never used. */
  days: number | null;
  lastUsedAt: Date | null;
}

/** All sites with their last use, and the suggested next one. */
export interface SiteRotation {
  /** In list order. */
  sites: SiteState[];
  /** Null only when every site is off. */
  next: SiteSuggestion | null;
}

async function readRotation(ctx: Ctx, ownerId: string): Promise<SiteRotation> {
  const today = calendarDay(ctx.now(), ctx.timeZone);
  const [lastUses, { sitesOff }] = await Promise.all([
    ctx.repos.injectionSites.lastUses(ownerId),
    ctx.repos.trackingChoices.find(ownerId),
  ]);
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

/** The sites of a dose's owner, to choose one when taking it. @throws AppError FORBIDDEN */
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
  await ctx.repos.trackingChoices.setSitesOff(user.id, off);
}
