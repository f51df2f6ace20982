import * as z from 'zod';
import { calendarDay, instantOfWallTime, readMoment } from '#app/domain/time/zoned-time.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import {
  dayField,
  idField,
  MAX_MOMENT_LENGTH,
  requiredLine,
  momentField,
  notesField,
  picked,
  saveKeyField,
  wholeField,
  type StoredValues,
} from '#app/domain/forms/fields.ts';
import { pagingSchema, searchField } from '#app/domain/forms/paging.ts';

/** When a side effect ended; null while ongoing. */
export interface EffectEnd {
  /** As it was entered: a day (YYYY-MM-DD) or an instant (ISO 8601, UTC). */
  resolvedDate: string | null;
  /** As an instant, for calculations. */
  resolvedAt: Date | null;
}

/** Still ongoing. */
export const NO_END: EffectEnd = { resolvedDate: null, resolvedAt: null };

/** The clock and time zone to read an end with. */
interface EndSetting {
  now: Date;
  timeZone: string;
  /** How far ahead of `now` a moment may lie. */
  aheadMs: number;
}

/** A day without a time means noon, at most half a day off, but never before a start on the same day. */
function instantOfEnd(text: string, startedAt: Date, { now, timeZone, aheadMs }: EndSetting): Date | null {
  const past = (at: Date | null) => (at !== null && at.getTime() <= now.getTime() + aheadMs ? at : null);
  if (!isCalendarDay(text)) return past(readMoment(text, timeZone, now));
  const isStartDay = text === calendarDay(startedAt, timeZone);
  const noon = instantOfWallTime(text, '12:00', timeZone);
  const at = isStartDay && noon < startedAt ? startedAt : noon;
  // Noon today may still be in the future.
  return text === calendarDay(now, timeZone) ? at : past(at);
}

/**
 * The end of a side effect from a validated day or instant.
 * @returns the end, or the problem: it is in the future, or before the start
 */
export function effectEnd(
  text: string,
  startedAt: Date,
  setting: EndSetting,
): EffectEnd | { problem: 'future' | 'order' } {
  const resolvedAt = instantOfEnd(text, startedAt, setting);
  if (resolvedAt === null) return { problem: 'future' };
  if (resolvedAt < startedAt) return { problem: 'order' };
  return { resolvedDate: isCalendarDay(text) ? text : resolvedAt.toISOString(), resolvedAt };
}

const MAX_NAME = 100;

/** Messages of the side-effect forms. */
export const SIDE_EFFECT_MESSAGES = {
  name: 'Enter a name',
  nameLong: `Name can have at most ${MAX_NAME} characters`,
  severity: 'Severity must be a whole number from 1 to 5',
  startedAt: 'Enter a date and time',
  future: 'The time cannot be in the future',
  resolvedDate: 'Enter the date on which it ended',
  order: 'The end cannot be before the start',
  compoundId: 'Choose one of your vials',
  doseId: 'Choose one of your doses',
  notes: 'Notes can have at most 2000 characters',
  notFound: 'This side effect does not exist.',
  templateThere: 'You already have this template, or you have reached the limit of 50',
  noTemplate: 'You do not have this template.',
} as const;

/** A day, or a moment on it. */
const endField = z
  .string({ error: SIDE_EFFECT_MESSAGES.resolvedDate })
  .trim()
  .pipe(
    z.union([dayField(SIDE_EFFECT_MESSAGES.resolvedDate), momentField(SIDE_EFFECT_MESSAGES.resolvedDate)], {
      error: SIDE_EFFECT_MESSAGES.resolvedDate,
    }),
  )
  .meta({ maxLength: MAX_MOMENT_LENGTH });

const nameField = requiredLine(SIDE_EFFECT_MESSAGES.name, SIDE_EFFECT_MESSAGES.nameLong, MAX_NAME);

const fields = {
  name: nameField.describe('Such as nausea'),
  severity: wholeField(SIDE_EFFECT_MESSAGES.severity, 1, 5).describe('1 (mild) to 5 (severe)'),
  startedAt: momentField(SIDE_EFFECT_MESSAGES.startedAt).describe('When it began'),
  resolvedDate: endField.nullish().describe('When it ended; null while it lasts'),
  compoundId: idField(SIDE_EFFECT_MESSAGES.compoundId).nullish().describe('The vial it may come from'),
  doseId: idField(SIDE_EFFECT_MESSAGES.doseId).nullish().describe('The dose it followed'),
  notes: notesField(SIDE_EFFECT_MESSAGES.notes).nullish().describe('Free text'),
};

const { name: _name, severity: _severity, startedAt: _startedAt, resolvedDate: _end, ...details } = fields;

/** What may be noted about a side effect besides its end; null while nothing was entered. */
export const effectDetails = details;

/** The details among some fields. */
export const effectDetailsOf = picked(effectDetails);

/** A side effect without its pictures. */
export interface SideEffect extends EffectEnd, StoredValues<typeof effectDetails> {
  name: string;
  severity: number;
  startedAt: Date;
}

/** Logging a side effect. */
export const sideEffectSchema = z.object({ ...fields, saveKey: saveKeyField });
export type SideEffectInput = z.input<typeof sideEffectSchema>;

/** Changing a side effect: only the given fields change, null clears a value. */
export const updateSideEffectSchema = z.object(fields).partial();
export type UpdateSideEffectInput = z.input<typeof updateSideEffectSchema>;

/** Marking it as resolved; without a date, now. */
export const resolveSchema = z.object({ resolvedDate: endField.nullish() });
export type ResolveInput = z.input<typeof resolveSchema>;

/** A user's own template. */
export const templateSchema = z.object({ name: nameField });

/** The two forms of the templates' page. */
export const templateFormSchema = z.discriminatedUnion('intent', [
  templateSchema.extend({ intent: z.literal('add').optional() }),
  templateSchema.extend({ intent: z.literal('remove') }),
]);

export type TemplateInput = z.input<typeof templateSchema>;

const optionalDay = z.string().refine(isCalendarDay).optional().catch(undefined);

/** The filters of the list. Invalid values fall back to the defaults. */
export const sideEffectQuerySchema = pagingSchema.extend({
  search: searchField,
  severity: z.coerce.number().int().min(1).max(5).optional().catch(undefined),
  state: z.enum(['all', 'open', 'resolved']).default('all').catch('all'),
  /** First and last day on which it may have started. */
  start: optionalDay,
  end: optionalDay,
});
export type SideEffectQueryInput = z.input<typeof sideEffectQuerySchema>;

/** A picture of a side effect. */
export interface SideEffectImage {
  /** `img_…` */
  id: string;
  contentType: string;
  bytes: number;
  width: number;
  height: number;
  addedAt: Date;
}
