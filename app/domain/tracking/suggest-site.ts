import { SITE_IDS, type SiteId } from './sites.ts';

/** Days that a site rests before it is suggested again . */
export const REST_DAYS = 7;

/** When a site was last used. */
export interface SiteUse {
  /** Instant of the last injection there; decides which of two was used longer ago. */
  lastUsedAt: Date;
  /** Whole calendar days since then in the person's zone; decides whether it has rested. */
  days: number;
}

/** The last use of each site that was ever used. */
export type SiteUses = ReadonlyMap<SiteId, SiteUse>;

/** The site to take next, and why. */
export interface SiteSuggestion {
  site: SiteId;
  /** `unused`: never used; `rested`: at least {@link REST_DAYS} days ago; `longest`: none has rested that long. */
  why: 'unused' | 'rested' | 'longest';
  /** Days since its last use; null when it was never used. */
  days: number | null;
}

/**
 * The least recently used of the enabled sites; one that was never used comes first, ties go by the list's order.
 * The least recently used is also the one that rested longest: when it has not rested {@link REST_DAYS} days, none has,
 * and the answer says so.
 * @returns null when no site is enabled
 */
export function suggestSite(enabled: readonly SiteId[], uses: SiteUses): SiteSuggestion | null {
  const at = (site: SiteId) => uses.get(site)?.lastUsedAt.getTime() ?? -Infinity;
  const [first] = SITE_IDS.filter((site) => enabled.includes(site)).sort((a, b) => {
    // Two that were never used are equal; the difference of two infinities would be no number.
    return at(a) === at(b) ? 0 : at(a) - at(b);
  });
  if (first === undefined) return null;
  const use = uses.get(first);
  if (use === undefined) return { site: first, why: 'unused', days: null };
  return { site: first, why: use.days >= REST_DAYS ? 'rested' : 'longest', days: use.days };
}
