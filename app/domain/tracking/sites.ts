import { plural } from '#app/domain/text/plural.ts';

/** One place of the body where an injection can go. */
interface Site {
  id: SiteId;
  /** As it is written in lists: "Abdomen, upper left". Left and right are the person's own. */
  name: string;
  /** On which of the two figures of the body map it is drawn. */
  view: 'front' | 'back';
}

/** The ids of the 16 sites: the names of the reference data in kebab-case. Their order breaks ties. */
export const SITE_IDS = [
  'abdomen-upper-left',
  'abdomen-upper-right',
  'abdomen-lower-left',
  'abdomen-lower-right',
  'thigh-front-left',
  'thigh-front-right',
  'thigh-outer-left',
  'thigh-outer-right',
  'upper-arm-back-left',
  'upper-arm-back-right',
  'deltoid-left',
  'deltoid-right',
  'ventrogluteal-left',
  'ventrogluteal-right',
  'gluteal-upper-outer-left',
  'gluteal-upper-outer-right',
] as const;

export type SiteId = (typeof SITE_IDS)[number];

const AREAS: readonly [words: string, name: string, view: Site['view']][] = [
  ['abdomen', 'Abdomen', 'front'],
  ['thigh', 'Thigh', 'front'],
  ['upper-arm-back', 'Upper arm back', 'back'],
  ['deltoid', 'Deltoid', 'front'],
  ['ventrogluteal', 'Ventrogluteal', 'back'],
  ['gluteal', 'Gluteal', 'back'],
];

function siteOf(id: SiteId): Site {
  const [words, name, view] = AREAS.find(([start]) => id.startsWith(`${start}-`)) ?? ['', '', 'front'];
  return { id, name: `${name}, ${id.slice(words.length + 1).replaceAll('-', ' ')}`, view };
}

/** The 16 injection sites in list order. */
export const SITES: readonly Site[] = SITE_IDS.map(siteOf);

const BY_ID = new Map<string, Site>(SITES.map((site) => [site.id, site]));

/** True for the id of one of the 16 sites. */
export function isSite(text: string): text is SiteId {
  return BY_ID.has(text);
}

/** The name of a site; an unknown id is returned unchanged. */
export function siteName(id: string): string {
  return BY_ID.get(id)?.name ?? id;
}

/** Routes without an injection. */
const WITHOUT_SITE = ['intranasal', 'oral', 'topical'];

/** Whether a dose is injected; a route that is not known may be an injection. */
export const isInjected = (route: string | null): boolean =>
  route === null || !WITHOUT_SITE.includes(route.trim().toLowerCase());

/** How many days a site should rest before it is suggested again. */
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

/** The site to use next, and why. */
export interface SiteSuggestion {
  site: SiteId;
  /** `unused`: never used; `rested`: at least {@link REST_DAYS} days ago; `longest`: none has rested that long. */
  why: 'unused' | 'rested' | 'longest';
  /** Days since its last use; null when it was never used. */
  days: number | null;
}

/**
 * The least recently used of the enabled sites. One that was never used comes first; list order breaks ties.
 * If it has not rested {@link REST_DAYS} days, none has, and `why` says so.
 * @returns null when no site is enabled
 */
export function suggestSite(enabled: readonly SiteId[], uses: SiteUses): SiteSuggestion | null {
  const at = (site: SiteId) => uses.get(site)?.lastUsedAt.getTime() ?? -Infinity;
  const [first] = SITE_IDS.filter((site) => enabled.includes(site)).sort((a, b) => {
    // Two that were never used are equal; subtracting two infinities would give NaN.
    return at(a) === at(b) ? 0 : at(a) - at(b);
  });
  if (first === undefined) return null;
  const use = uses.get(first);
  if (use === undefined) return { site: first, why: 'unused', days: null };
  return { site: first, why: use.days >= REST_DAYS ? 'rested' : 'longest', days: use.days };
}

/** A suggestion and its reason as sentences. */
export function suggestionText({ site, why, days }: SiteSuggestion): { title: string; reason: string } {
  const title = siteName(site);
  const rested = plural(days ?? 0, 'day');
  if (why === 'unused') return { title, reason: 'You have not used this site yet.' };
  if (why === 'rested')
    return { title, reason: `This site has rested longest: ${rested}. Aim for at least ${REST_DAYS}.` };
  return {
    title,
    reason:
      days === 0
        ? `None of your sites has rested ${REST_DAYS} days. All were used today; this one was used first.`
        : `None of your sites has rested ${REST_DAYS} days. This one has rested longest: ${rested}.`,
  };
}

/** The colour of a site on the map: `hot` up to 2 days after an injection, `warm` until it has rested, then `cool`. */
type Recency = 'unused' | 'cool' | 'warm' | 'hot';

const HOT_DAYS = 2;

/** @param days since the last use; null when there was none */
export function recencyOf(days: number | null): Recency {
  if (days === null) return 'unused';
  if (days <= HOT_DAYS) return 'hot';
  return days < REST_DAYS ? 'warm' : 'cool';
}

/** "today", "yesterday", "12 days ago", "never used". */
export function sinceText(days: number | null): string {
  if (days === null) return 'never used';
  if (days <= 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/** A shorter form for the map: "today", "12 d", "new". */
export function sinceMark(days: number | null): string {
  if (days === null) return 'new';
  if (days <= 0) return 'today';
  return days > 99 ? '99+ d' : `${days} d`;
}
