import * as z from 'zod';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import type { getSiteEntry } from './injection-sites.server.ts';
import { instant, named } from '#app/platform/api/shapes.ts';

/** An injection as the API gives it. */
export const injectionSiteShape = named(
  'InjectionSite',
  z.object({
    id: z.string(),
    site: z.enum(SITE_IDS),
    takenAt: instant,
    name: z.string().nullable().describe('What was injected'),
    compoundId: z.string().nullable(),
    dose: z.number().nullable().describe('In doseUnit'),
    doseUnit: z.enum(['mg', 'mcg']),
    volume: z.number().nullable().describe('ml'),
    pain: z.int().min(0).max(10).nullable(),
    notes: z.string().nullable(),
    doseId: z.string().nullable().describe('The dose of a schedule that it belongs to'),
  }),
);

/** A site with its last use. */
export const siteStateShape = named(
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

/** Amounts as numbers. */
export function injectionSiteAnswer(entry: Entry) {
  return { ...entry, dose: numberOf(entry.dose), volume: numberOf(entry.volume) };
}

export const EXAMPLE_INJECTION_SITE = {
  id: 'site_6f1b1c3e9a7d4b2f8e0c5a61',
  site: 'abdomen-upper-left' as const,
  takenAt: '2026-11-22T08:00:00.000Z' as unknown as Date,
  name: 'BPC-157',
  compoundId: null,
  dose: 250,
  doseUnit: 'mcg' as const,
  volume: 0.1,
  pain: 1,
  notes: null,
  doseId: null,
};
