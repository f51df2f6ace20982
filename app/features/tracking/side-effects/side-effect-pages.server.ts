import { randomUUID } from 'node:crypto';
import { data } from '@remix-run/node';
import { hoursText, severityText, type EffectStatistics } from '#app/domain/tracking/side-effects.ts';
import { shownInstant, calendarDay, daysBefore, momentField } from '#app/domain/time/zoned-time.ts';
import { isAppError } from '#app/domain/errors.ts';
import { MAX_IMAGES_EACH } from '#app/domain/forms/image-schema.ts';
import { controlTexts } from '#app/domain/forms/fields.ts';
import { effectDetailsOf, type SideEffectQueryInput } from '#app/domain/tracking/side-effect-schema.ts';
import {
  onsetOf,
  sideEffectReport,
  sideEffectStats,
  listTemplates,
  getSideEffect,
  listSideEffects,
} from './side-effects.server.ts';
import { linkChoices } from '#app/features/tracking/entry-links.server.ts';
import { listPages, queryOf } from '#app/platform/http/addresses.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { HOUR_MS } from '#app/domain/time/calendar.ts';

interface Effect {
  id: string;
  name: string;
  severity: number;
  startedAt: Date;
  resolvedAt: Date | null;
  notes: string | null;
  images: readonly unknown[];
}

/** How long a side effect lasted; null while it is ongoing. */
function lastedText({ startedAt, resolvedAt }: Pick<Effect, 'startedAt' | 'resolvedAt'>): string | null {
  if (resolvedAt === null) return null;
  return `lasted ${hoursText((resolvedAt.getTime() - startedAt.getTime()) / HOUR_MS)}`;
}

/** A side effect as its list shows it. */
function effectRow(effect: Effect, timeZone: string) {
  const { id, name, severity, startedAt, notes, images } = effect;
  return {
    id,
    name,
    severity,
    severityText: severityText(severity),
    startedAt: startedAt.toISOString(),
    when: shownInstant(startedAt, timeZone),
    lasted: lastedText(effect),
    notes,
    pictures: images.length,
  };
}

const orDash = (value: number | null, show: (value: number) => string) =>
  value === null ? '–' : show(value);

/** Figures as they are shown. */
function statsTexts(stats: EffectStatistics) {
  return {
    count: String(stats.count),
    meanSeverity: orDash(stats.meanSeverity, (mean) => mean.toFixed(1)),
    medianDuration: orDash(stats.medianDurationHours, hoursText),
    medianOnset: orDash(stats.medianOnsetHours, hoursText),
  };
}

/** What the list of side effects shows. */
export async function readEffectList({ ctx, url }: UserPageArgs) {
  const query = queryOf(url, 'search', 'severity', 'state', 'start', 'end', 'page', 'limit');
  const [page, stats] = await Promise.all([
    listSideEffects(ctx, query as SideEffectQueryInput),
    sideEffectStats(ctx),
  ]);
  return {
    rows: page.items.map((effect) => effectRow(effect, ctx.timeZone)),
    filter: { search: query.search ?? '', severity: query.severity ?? '', state: query.state ?? 'all' },
    pages: listPages(url, page),
    stats: statsTexts(stats),
    byName: stats.byName.map((named) => ({ name: named.name, ...statsTexts(named) })),
  };
}

/** The form for a new side effect: `?name=` fills in a template's, `?dose=` the dose it followed. */
export async function readNewEffect({ ctx, url }: UserPageArgs) {
  const [templates, choices] = await Promise.all([listTemplates(ctx), linkChoices(ctx)]);
  return {
    templates: templates.map(({ name }) => name),
    saveKey: randomUUID(),
    ...choices,
    values: {
      name: (url.searchParams.get('name') ?? '').slice(0, 100),
      severity: '2',
      startedAt: momentField(ctx.now(), ctx.timeZone),
      resolvedDate: '',
      ...controlTexts(effectDetailsOf({ doseId: url.searchParams.get('dose') })),
    },
  };
}

/** The form for editing a side effect. */
export async function readEffectForm({ ctx, params, url }: UserPageArgs) {
  const effect = await getSideEffect(ctx, params.id ?? '');
  const choices = await linkChoices(ctx, effect);
  return {
    id: effect.id,
    path: url.pathname,
    ...choices,
    values: {
      ...controlTexts(effectDetailsOf(effect)),
      name: effect.name,
      severity: String(effect.severity),
      startedAt: momentField(effect.startedAt, ctx.timeZone),
      resolvedDate: effect.resolvedAt === null ? '' : momentField(effect.resolvedAt, ctx.timeZone),
    },
  };
}

/** Everything the page of a side effect shows. */
export async function readEffect({ ctx, params, url }: Pick<UserPageArgs, 'ctx' | 'params' | 'url'>) {
  const effect = await getSideEffect(ctx, params.id ?? '');
  const [onset, choices] = await Promise.all([onsetOf(ctx, effect), linkChoices(ctx, effect)]);
  const shown = (at: Date) => shownInstant(at, ctx.timeZone);
  const labelOf = (options: { value: string; label: string }[], id: string | null) =>
    options.find(({ value }) => value === id)?.label;
  const facts = [
    ['Severity', severityText(effect.severity)],
    ['Started', shown(effect.startedAt)],
    [
      'Ended',
      effect.resolvedAt === null ? 'Ongoing' : `${shown(effect.resolvedAt)}, ${lastedText(effect) ?? ''}`,
    ],
    ['Onset', onset === null ? undefined : `${hoursText(onset)} after the last dose`],
    ['Vial', labelOf(choices.vials, effect.compoundId)],
    ['Dose', labelOf(choices.doses, effect.doseId)],
  ] as const;
  return {
    path: url.pathname,
    now: momentField(ctx.now(), ctx.timeZone),
    effect: {
      id: effect.id,
      name: effect.name,
      isOver: effect.resolvedAt !== null,
      facts: facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }])),
      notes: effect.notes,
      pictures: effect.images.map(({ id, width, height, addedAt }) => ({
        id,
        width,
        height,
        added: shown(addedAt),
      })),
      canAdd: effect.images.length < MAX_IMAGES_EACH,
    },
  };
}

/** Days of the default report. */
const DEFAULT_DAYS = 30;

/** The report for a period. An invalid period gets a 400 with the form. */
export async function readEffectReport({ ctx, url }: UserPageArgs) {
  const today = calendarDay(ctx.now(), ctx.timeZone);
  const { start = daysBefore(today, DEFAULT_DAYS), end = today } = queryOf(url, 'start', 'end');
  const page = { action: url.pathname, start, end };
  try {
    const { sideEffects, leftOut, stats } = await sideEffectReport(ctx, { start, end });
    const rows = sideEffects.map((effect) => effectRow(effect, ctx.timeZone));
    const byName = stats.byName.map((named) => ({ name: named.name, ...statsTexts(named) }));
    return data({ ...page, errors: {}, report: { rows, leftOut, stats: statsTexts(stats), byName } });
  } catch (error) {
    if (!isAppError(error) || error.fields === undefined) throw error;
    const errors = { start: error.fields['start']?.[0], end: error.fields['end']?.[0] };
    return data({ ...page, errors, report: null }, { status: 400 });
  }
}

/** Sends a picture so that no cache stores it and the browser treats it only as an image. */
export function pictureResponse({ bytes, contentType }: { bytes: Buffer; contentType: string }): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
      'Content-Disposition': `inline; filename="picture.${contentType.split('/')[1] ?? 'bin'}"`,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
}
