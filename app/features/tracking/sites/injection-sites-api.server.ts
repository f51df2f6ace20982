import * as z from 'zod';
import {
  logSiteSchema,
  siteChoiceSchema,
  updateSiteSchema,
} from '#app/domain/tracking/injection-site-schema.ts';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import { suggestionText } from '#app/domain/tracking/site-reason.ts';
import {
  deleteSiteEntry,
  getSiteEntry,
  listSiteEntries,
  logSite,
  updateSiteEntry,
} from './injection-sites.server.ts';
import { chooseSites, siteRotation } from './site-rotation.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { idParams, named, pageQuery, pageShape } from '#app/platform/api/shapes.ts';
import {
  EXAMPLE_INJECTION_SITE,
  injectionSiteAnswer,
  injectionSiteShape,
  siteStateShape,
} from './injection-site-shape.ts';

const tag = 'Injection sites';
const answer = z.object({ injectionSite: injectionSiteShape });
const example = { injectionSite: EXAMPLE_INJECTION_SITE };

export const listInjectionSitesCall = operation({
  id: 'listInjectionSites',
  method: 'GET',
  path: '/api/injection-sites',
  tag,
  summary: 'Your injections by site, newest first',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery() }),
  response: z.object({ injectionSites: z.array(injectionSiteShape), ...pageShape }),
  example: { data: { injectionSites: [EXAMPLE_INJECTION_SITE], page: 1, limit: 20, total: 1 } },
  async run(ctx, { query }) {
    const { items, page, limit, total } = await listSiteEntries(ctx, query);
    return { injectionSites: items.map(injectionSiteAnswer), page, limit, total };
  },
});

export const logInjectionSiteCall = operation({
  id: 'logInjectionSite',
  method: 'POST',
  path: '/api/injection-sites',
  tag,
  summary: 'Log an injection',
  access: 'premium',
  creates: true,
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
  run: async (ctx, { body }) => ({ injectionSite: injectionSiteAnswer(await logSite(ctx, body)) }),
});

export const getInjectionSiteCall = operation({
  id: 'getInjectionSite',
  method: 'GET',
  path: '/api/injection-sites/{id}',
  tag,
  summary: 'One injection',
  access: 'premium',
  params: idParams,
  response: answer,
  example: { data: example },
  run: async (ctx, { params }) => ({
    injectionSite: injectionSiteAnswer(await getSiteEntry(ctx, params.id)),
  }),
});

export const changeInjectionSiteCall = operation({
  id: 'changeInjectionSite',
  method: 'PUT',
  path: '/api/injection-sites/{id}',
  tag,
  summary: 'Change an injection; only what is sent changes, null takes a value out',
  access: 'premium',
  params: idParams,
  body: updateSiteSchema,
  response: answer,
  example: { body: { pain: 2 }, data: { injectionSite: { ...EXAMPLE_INJECTION_SITE, pain: 2 } } },
  run: async (ctx, { params, body }) => ({
    injectionSite: injectionSiteAnswer(await updateSiteEntry(ctx, params.id, body)),
  }),
});

export const deleteInjectionSiteCall = operation({
  id: 'deleteInjectionSite',
  method: 'DELETE',
  path: '/api/injection-sites/{id}',
  tag,
  summary: 'Delete an injection; a dose that it belongs to stays',
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

export const nextInjectionSiteCall = operation({
  id: 'nextInjectionSite',
  method: 'GET',
  path: '/api/injection-sites/next',
  tag,
  summary: 'The site to take next and why, and the last use of each',
  description: 'The least recently used of the sites that are on; `rested` means at least 7 days.',
  access: 'premium',
  response: z.object({ suggestion: suggestionShape.nullable(), sites: z.array(siteStateShape) }),
  example: {
    data: {
      suggestion: {
        site: 'deltoid-left' as const,
        why: 'rested' as const,
        days: 12,
        reason: 'Rested longest of your sites: 12 days, at least 7 are wanted.',
      },
      sites: [],
    },
  },
  async run(ctx) {
    const { next, sites } = await siteRotation(ctx);
    return { suggestion: next && { ...next, reason: suggestionText(next).reason }, sites };
  },
});

export const chooseInjectionSitesCall = operation({
  id: 'chooseInjectionSites',
  method: 'PUT',
  path: '/api/injection-sites/next',
  tag,
  summary: 'Choose which sites you use; the others are off',
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
