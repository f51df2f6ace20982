import { doseWords, type Blend } from '#app/domain/vials/contents.ts';
import { randomUUID } from 'node:crypto';
import { siteName, suggestionText } from '#app/domain/tracking/sites.ts';
import { controlTexts } from '#app/domain/forms/fields.ts';
import { siteDetailsOf } from '#app/domain/tracking/injection-site-schema.ts';
import { momentField, shownInstant } from '#app/domain/time/zoned-time.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { blendsOfEntries, getSiteEntry, listSiteEntries, siteRotation } from './injection-sites.server.ts';
import { linkedVials } from '#app/features/tracking/entry-links.server.ts';
import { listPages, queryOf } from '#app/platform/http/addresses.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

type Entry = Awaited<ReturnType<typeof getSiteEntry>>;

/** @param blend the blend that the dose was drawn from; undefined for a single peptide */
function siteRow(entry: Entry, timeZone: string, blend: Blend | undefined) {
  const facts = [
    entry.name,
    entry.dose === null ? null : doseWords(entry.dose, entry.doseUnit, blend),
    entry.volume === null ? null : `${entry.volume} ml`,
    entry.pain === null ? null : `pain ${entry.pain} of 10`,
  ].filter((fact) => fact !== null);
  return {
    id: entry.id,
    takenAt: entry.takenAt.toISOString(),
    when: shownInstant(entry.takenAt, timeZone),
    site: siteName(entry.site),
    facts,
    notes: entry.notes,
    dosePath: entry.doseId === null ? null : `/dashboard/schedule/doses/${entry.doseId}`,
  };
}

async function readMap(ctx: Ctx) {
  const { sites, next } = await siteRotation(ctx);
  return {
    sites: sites.map(({ site, isOn, days }) => ({ site, isOn, days })),
    next: next?.site ?? null,
    suggestion: next === null ? null : suggestionText(next),
  };
}

/** The page of injection sites. The URL can preselect a site: `?site=deltoid-left`. */
export async function readSitePage({ ctx, user, url }: UserPageArgs) {
  const [map, page, vials] = await Promise.all([
    readMap(ctx),
    listSiteEntries(ctx, queryOf(url, 'page', 'limit')),
    linkedVials(ctx),
  ]);
  const blendOf = await blendsOfEntries(ctx, page.items);
  const chosenSite = map.sites.find(({ site }) => site === url.searchParams.get('site'))?.site;
  const last = page.items[0];
  return {
    ...map,
    vials,
    names: [...new Set(vials.map(({ name }) => name))],
    blends: vials.flatMap(({ blend }) => blend),
    values: {
      ...controlTexts(siteDetailsOf({ name: last?.name })),
      record: 'dose',
      site: chosenSite ?? map.next ?? '',
      takenAt: momentField(ctx.now(), ctx.timeZone),
      doseUnit: last?.doseUnit ?? user.doseUnit,
    },
    saveKey: randomUUID(),
    rows: page.items.map((entry) => siteRow(entry, ctx.timeZone, blendOf(entry))),
    pages: listPages(url, page, '#history'),
  };
}

export async function readSiteEntryPage({ ctx, params, url }: UserPageArgs) {
  const entry = await getSiteEntry(ctx, params.id ?? '');
  const [{ sites }, vials, blendOf] = await Promise.all([
    readMap(ctx),
    linkedVials(ctx, entry.compoundId),
    blendsOfEntries(ctx, [entry]),
  ]);
  return {
    sites,
    vials,
    path: url.pathname,
    row: siteRow(entry, ctx.timeZone, blendOf(entry)),
    values: {
      ...controlTexts(siteDetailsOf(entry)),
      site: entry.site,
      takenAt: momentField(entry.takenAt, ctx.timeZone),
      doseUnit: entry.doseUnit,
    },
  };
}
