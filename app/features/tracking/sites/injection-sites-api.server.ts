import { DOSE_UNITS } from '#app/domain/calculator/calculation.ts';
import * as z from 'zod';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { partAmount, componentDoses, type Blend } from '#app/domain/vials/contents.ts';
import { SITE_IDS, suggestionText } from '#app/domain/tracking/sites.ts';
import {
  blendsOfEntries,
  getSiteEntry,
  deleteSiteEntry,
  pageOfSiteEntries,
  logSite,
  updateSiteEntry,
  chooseSites,
  siteRotation,
} from './injection-sites.server.ts';
import {
  instant,
  named,
  idParams,
  pageQuery,
  cursorPageShape,
  cursorQuery,
  periodQuery,
  updatedAtOf,
  updatedQuery,
  textShapes,
} from '#app/platform/api/shapes.ts';
import {
  logSiteSchema,
  siteChoiceSchema,
  siteDetails,
  updateSiteSchema,
} from '#app/domain/tracking/injection-site-schema.ts';
import { toBaseUnit } from '#app/domain/units/quantity.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';

/** An injection as the API returns it. */
const injectionSiteShape = named(
  'InjectionSite',
  z.object({
    id: z.string(),
    site: z.enum(SITE_IDS),
    takenAt: instant,
    updatedAt: instant,
    ...textShapes(siteDetails),
    name: z.string().nullable().describe('What was injected'),
    dose: z.number().nullable().describe('In doseUnit'),
    doseUnit: z.enum(DOSE_UNITS),
    volume: z.number().nullable().describe('ml'),
    pain: z.int().min(0).max(10).nullable(),
    doseId: z.string().nullable().describe('The dose it belongs to'),
    doseOf: z.string().nullable().describe('For a blend: the component that the dose is for'),
    components: z
      .array(z.object({ name: z.string(), dose: z.number() }))
      .describe(
        'The amount of each component, in doseUnit; one for a single peptide, none without a name or a dose',
      ),
  }),
);

/** A site with its last use. */
const siteStateShape = named(
  'SiteState',
  z.object({
    site: z.enum(SITE_IDS),
    isOn: z.boolean(),
    days: z.int().nullable().describe('Calendar days since its last use; null when it was never used'),
    lastUsedAt: instant.nullable(),
  }),
);

type Entry = Awaited<ReturnType<typeof getSiteEntry>>;

const numberOf = (text: string | null) => (text === null ? null : Number(text));

/** The amount of each component in the dose. */
function componentsOf({ name, dose, doseUnit }: Entry, blend: Blend | undefined) {
  if (dose === null || (name === null && blend === undefined)) return [];
  const parts = componentDoses(name ?? '', toBaseUnit(new Decimal(dose).toFixed(), doseUnit), blend);
  return parts.map((part) => ({ name: part.name, dose: partAmount(part, doseUnit) }));
}

/** The entries with amounts as numbers and with the components that their doses were drawn from. */
async function injectionSiteAnswers(ctx: Ctx, entries: readonly Entry[]) {
  const blendOf = await blendsOfEntries(ctx, entries);
  return entries.map((entry) => {
    const blend = blendOf(entry);
    return {
      ...entry,
      updatedAt: updatedAtOf(entry),
      dose: numberOf(entry.dose),
      volume: numberOf(entry.volume),
      doseOf: blend?.doseOf ?? null,
      components: componentsOf(entry, blend),
    };
  });
}

async function oneInjectionSite(ctx: Ctx, entry: Entry) {
  const [injectionSite] = await injectionSiteAnswers(ctx, [entry]);
  return { injectionSite: injectionSite as NonNullable<typeof injectionSite> };
}

const EXAMPLE_INJECTION_SITE = {
  id: 'site_6f1b1c3e9a7d4b2f8e0c5a61',
  site: 'abdomen-upper-left' as const,
  takenAt: new Date('2026-11-22T08:00:00.000Z'),
  updatedAt: new Date('2026-11-22T08:00:00.000Z'),
  name: 'BPC-157',
  compoundId: null,
  dose: 250,
  doseUnit: 'mcg' as const,
  volume: 0.1,
  pain: 1,
  notes: null,
  doseId: null,
  doseOf: null,
  components: [{ name: 'BPC-157', dose: 250 }],
};

const tag = 'Injection sites';
const answer = z.object({ injectionSite: injectionSiteShape });
const example = { injectionSite: EXAMPLE_INJECTION_SITE };

const listInjectionSitesCall = operation({
  id: 'listInjectionSites',
  method: 'GET',
  path: '/api/injection-sites',
  tag,
  summary: 'Your injections by site, newest first',
  description: 'Includes sites logged with a dose and sites logged on their own.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery, ...periodQuery, ...updatedQuery }),
  response: z.object({ injectionSites: z.array(injectionSiteShape), ...cursorPageShape }),
  example: { data: { injectionSites: [EXAMPLE_INJECTION_SITE], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfSiteEntries(ctx, query);
    return { injectionSites: await injectionSiteAnswers(ctx, items), ...paging };
  },
});

const logInjectionSiteCall = operation({
  id: 'logInjectionSite',
  method: 'POST',
  path: '/api/injection-sites',
  tag,
  summary: 'Log an injection site without a dose',
  description:
    'Nothing is drawn and no dose is counted. To log a dose together with its site, send `site` with the dose.',
  access: 'premium',
  creates: '/api/injection-sites/{injectionSite.id}',
  body: logSiteSchema.omit({ saveKey: true }),
  response: answer,
  example: {
    body: {
      site: 'abdomen-upper-left',
      takenAt: '2026-11-22T08:00:00Z',
      dose: 250,
      doseUnit: 'mcg',
      pain: 1,
    },
    data: example,
  },
  errors: ['PLAN_LIMIT'],
  run: async (ctx, { body }) => oneInjectionSite(ctx, await logSite(ctx, body)),
});

const getInjectionSiteCall = operation({
  id: 'getInjectionSite',
  method: 'GET',
  path: '/api/injection-sites/{id}',
  tag,
  summary: 'One injection',
  description: '`doseId` is the dose it was logged with.',
  access: 'premium',
  params: idParams,
  response: answer,
  example: { data: example },
  run: async (ctx, { params }) => oneInjectionSite(ctx, await getSiteEntry(ctx, params.id)),
});

const changeInjectionSiteCall = operation({
  id: 'changeInjectionSite',
  method: 'PUT',
  path: '/api/injection-sites/{id}',
  tag,
  summary: 'Update an injection; only the fields sent change, null clears a value',
  description:
    'The dose it belongs to does not change. A different `doseUnit` needs its `dose`; nothing is converted.',
  access: 'premium',
  params: idParams,
  body: updateSiteSchema,
  quantity: ['dose', 'doseUnit'],
  response: answer,
  example: { body: { pain: 2 }, data: { injectionSite: { ...EXAMPLE_INJECTION_SITE, pain: 2 } } },
  run: async (ctx, { params, body }) => oneInjectionSite(ctx, await updateSiteEntry(ctx, params.id, body)),
});

const deleteInjectionSiteCall = operation({
  id: 'deleteInjectionSite',
  method: 'DELETE',
  path: '/api/injection-sites/{id}',
  tag,
  summary: 'Delete an injection; the dose it belongs to is kept',
  description: 'This cannot be undone. The previous injection there becomes the last use of the site.',
  access: 'premium',
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteSiteEntry(ctx, params.id);
    return new Reply({}, { message: 'Injection deleted' });
  },
});

const suggestionShape = named(
  'SiteSuggestion',
  z.object({
    site: z.enum(SITE_IDS),
    why: z.enum(['unused', 'rested', 'longest']),
    days: z.int().nullable(),
    reason: z.string(),
  }),
);

const nextInjectionSiteCall = operation({
  id: 'nextInjectionSite',
  method: 'GET',
  path: '/api/injection-sites/next',
  tag,
  summary: 'The site to use next and why, and when each was last used',
  description: 'Suggests the least recently used of your sites; `rested` means at least 7 days ago.',
  access: 'premium',
  response: z.object({ suggestion: suggestionShape.nullable(), sites: z.array(siteStateShape) }),
  example: {
    data: {
      suggestion: {
        site: 'deltoid-left' as const,
        why: 'rested' as const,
        days: 12,
        reason: 'This site has rested longest: 12 days. Aim for at least 7.',
      },
      sites: [],
    },
  },
  async run(ctx) {
    const { next, sites } = await siteRotation(ctx);
    return { suggestion: next && { ...next, reason: suggestionText(next).reason }, sites };
  },
});

const chooseInjectionSitesCall = operation({
  id: 'chooseInjectionSites',
  method: 'PUT',
  path: '/api/injection-sites/next',
  tag,
  summary: 'Choose which sites you use; the others are turned off',
  description: 'Sites that are turned off are never suggested. Their entries are kept.',
  access: 'premium',
  body: siteChoiceSchema,
  response: z.object({ sites: z.array(siteStateShape) }),
  example: { body: { sites: ['deltoid-left', 'deltoid-right'] }, data: { sites: [] } },
  async run(ctx, { body }) {
    await chooseSites(ctx, body);
    return { sites: (await siteRotation(ctx)).sites };
  },
});

export const injectionSiteOperations = [
  listInjectionSitesCall,
  logInjectionSiteCall,
  nextInjectionSiteCall,
  chooseInjectionSitesCall,
  getInjectionSiteCall,
  changeInjectionSiteCall,
  deleteInjectionSiteCall,
];
