import * as z from 'zod';
import { LOG_LEVELS } from '#app/domain/system/log-line.ts';
import { reasonSchema } from '#app/domain/forms/fields.ts';

/** An action on the server itself. */
export const systemActionSchema = z.object({ reason: reasonSchema });

export type SystemActionInput = z.input<typeof systemActionSchema>;

/** Which lines of the kept log are meant. */
export const logQuerySchema = z.object({
  level: z.enum(LOG_LEVELS, { error: 'Level must be info, warning or error' }).optional(),
  search: z.string().trim().max(100, { error: 'Search for at most 100 characters' }).default(''),
  before: z.string().max(60).optional(),
});

export type LogQueryInput = z.input<typeof logQuerySchema>;

/** A day, or an instant with its zone: what a person writes without doubt about which hour is meant. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
const TIME_MESSAGE = 'Write a day as 2026-11-20 (from midnight UTC) or a time as 2026-11-20T08:00Z';

const time = z
  .string({ error: TIME_MESSAGE })
  .trim()
  .refine((text) => TIME.test(text) && !Number.isNaN(Date.parse(text)), { error: TIME_MESSAGE })
  .transform((text) => new Date(text));

/** The period of an incident; without an end it goes on until now. */
export const breachSchema = z
  .object({ since: time, until: time.optional() })
  .refine(({ since, until }) => until === undefined || since < until, {
    error: 'The end must be after the start',
    path: ['until'],
  });

export type BreachInput = z.input<typeof breachSchema>;
