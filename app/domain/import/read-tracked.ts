import * as z from 'zod';
import { logSiteSchema, SITE_MESSAGES } from '#app/domain/tracking/injection-site-schema.ts';
import { NUTRIENTS, NUTRITION_MESSAGES, nutritionSchema } from '#app/domain/tracking/nutrition-schema.ts';
import { SIDE_EFFECT_MESSAGES, sideEffectSchema } from '#app/domain/tracking/side-effect-schema.ts';
import { effectEnd, NO_END, type EffectEnd } from '#app/domain/tracking/side-effect-end.ts';
import { calendarDay, daysBefore } from '#app/domain/time/days.ts';
import { isCalendarDay } from '#app/domain/time/calendar-day.ts';
import { isIdOf, readInstant, reasonOf } from './row-values.ts';
import type { ImportCells, ImportSetting, ReadRow } from './import-types.ts';

const DAY_MS = 86_400_000;
/** Days of whoever exported can be those of another zone, up to a day away on either side. */
const ZONES_APART_MS = 2 * DAY_MS;
const ZONES_APART_DAYS = 2;

const NO_INSTANT = 'This is no date and time';

/** What every row of an export tells of itself; `what` names it in the message. */
function madeOf(cells: ImportCells, prefix: string, what: string): { id: string; createdAt: Date } | string {
  const { id } = cells;
  const createdAt = readInstant(cells['createdAt']);
  if (!isIdOf(prefix, id)) return `id: This is no id of ${what}`;
  return createdAt === null ? `createdAt: ${NO_INSTANT}` : { id, createdAt };
}

const orNull = <T>(value: T | null | undefined): T | null => value ?? null;

/** A day's entry. It belongs to the day: whoever imports it has one of that day, whatever its id was. */
export function readNutrition(cells: ImportCells, { now, timeZone }: ImportSetting): ReadRow {
  const made = madeOf(cells, 'meal_', 'an entry of a day');
  if (typeof made === 'string') return { reason: made };
  const parsed = nutritionSchema.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { date } = parsed.data;
  if (daysBefore(date, ZONES_APART_DAYS) > calendarDay(now, timeZone))
    return { reason: `date: ${NUTRITION_MESSAGES.date}` };
  const { calories, protein, carbs, fat, water, notes } = parsed.data;
  const values = {
    calories: orNull(calories),
    protein: orNull(protein),
    carbs: orNull(carbs),
    fat: orNull(fat),
    water: orNull(water),
  };
  const isEmpty = NUTRIENTS.every(({ key }) => values[key] === null) && !notes;
  if (isEmpty) return { reason: NUTRITION_MESSAGES.empty };
  const entry = { date, ...values, notes: orNull(notes) };
  return { record: { type: 'nutrition', id: date, createdAt: made.createdAt, entry } };
}

/** An end on the day of the start is never before it, whoever's zone names that day. */
function endOf(text: string, startedAt: Date, { now, timeZone }: ImportSetting): EffectEnd | string {
  const end = effectEnd(text, startedAt, { now, timeZone, aheadMs: ZONES_APART_MS });
  if (!('problem' in end)) return end;
  const isNear =
    isCalendarDay(text) && Date.parse(`${text}T12:00:00Z`) > startedAt.getTime() - ZONES_APART_MS;
  if (end.problem === 'order' && isNear) return { resolvedDate: text, resolvedAt: startedAt };
  return `resolvedDate: ${SIDE_EFFECT_MESSAGES[end.problem]}`;
}

const effectRow = z.object(sideEffectSchema.shape).omit({ saveKey: true });

/** A side effect. Its pictures are no part of an export. */
export function readSideEffect(cells: ImportCells, setting: ImportSetting): ReadRow {
  const made = madeOf(cells, 'fx_', 'a side effect');
  if (typeof made === 'string') return { reason: made };
  const parsed = effectRow.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const { name, severity, resolvedDate, compoundId, doseId, notes } = parsed.data;
  const startedAt = readInstant(cells['startedAt']);
  if (startedAt === null) return { reason: `startedAt: ${NO_INSTANT}` };
  if (startedAt.getTime() > setting.now.getTime() + ZONES_APART_MS)
    return { reason: `startedAt: ${SIDE_EFFECT_MESSAGES.future}` };
  const end = resolvedDate ? endOf(resolvedDate, startedAt, setting) : NO_END;
  if (typeof end === 'string') return { reason: end };
  const links = { compoundId: orNull(compoundId), doseId: orNull(doseId) };
  const effect = { name, severity, startedAt, ...end, ...links, notes: orNull(notes) };
  return { record: { type: 'sideEffects', ...made, effect } };
}

const siteRow = z.object(logSiteSchema.shape).omit({ saveKey: true });

/** An injection at a site. */
export function readInjectionSite(cells: ImportCells, { now }: ImportSetting): ReadRow {
  const made = madeOf(cells, 'site_', 'an injection');
  if (typeof made === 'string') return { reason: made };
  const parsed = siteRow.safeParse(cells);
  if (!parsed.success) return { reason: reasonOf(parsed.error.issues) };
  const takenAt = readInstant(cells['takenAt']);
  if (takenAt === null) return { reason: `takenAt: ${NO_INSTANT}` };
  if (takenAt.getTime() > now.getTime() + ZONES_APART_MS)
    return { reason: `takenAt: ${SITE_MESSAGES.future}` };
  const { doseId } = cells;
  if (doseId !== undefined && !isIdOf('dose_', doseId)) return { reason: 'doseId: This is no id of a dose' };
  const { site, name, compoundId, dose, doseUnit = 'mg', volume, pain, notes } = parsed.data;
  const amounts = { dose: orNull(dose), doseUnit, volume: orNull(volume), pain: orNull(pain) };
  const about = { name: orNull(name), compoundId: orNull(compoundId), notes: orNull(notes) };
  const entry = { site, takenAt, ...about, ...amounts, doseId: orNull(doseId) };
  return { record: { type: 'injectionSites', ...made, entry } };
}
