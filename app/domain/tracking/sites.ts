/** One place of the body where an injection can go. */
export interface Site {
  id: SiteId;
  /** As it is written in lists: "Abdomen, upper left". Left and right are the person's own. */
  name: string;
  /** On which of the two figures of the body map it is drawn. */
  view: 'front' | 'back';
}

/** The ids of the 16 sites: the words of the reference data in kebab-case, in its order, which breaks ties. */
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

/**
 * The 16 injection sites in list order.
 */
export const SITES: readonly Site[] = SITE_IDS.map(siteOf);

const BY_ID = new Map<string, Site>(SITES.map((site) => [site.id, site]));

/** True for the id of one of the 16 sites. */
export function isSite(text: string): text is SiteId {
  return BY_ID.has(text);
}

/** The name of a site in words; an id that is none stands for itself. */
export function siteName(id: string): string {
  return BY_ID.get(id)?.name ?? id;
}
