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
