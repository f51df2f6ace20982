import * as z from 'zod';
import { dayField } from '#app/domain/forms/fields.ts';

/** Longest period of an adherence report: a year. */
export const MAX_PERIOD_DAYS = 366;

export const ADHERENCE_MESSAGES = {
  day: 'Enter a day as YYYY-MM-DD',
  order: 'The last day must not be before the first',
  tooLong: 'Choose at most a year',
} as const;

const day = dayField(ADHERENCE_MESSAGES.day).optional();

/** The period of an adherence report: days in the owner's time zone, both ends included. */
export const adherenceSchema = z.object({ startDate: day, endDate: day });

export type AdherenceInput = z.input<typeof adherenceSchema>;
