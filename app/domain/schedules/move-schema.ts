import * as z from 'zod';
import { momentField } from '#app/domain/forms/fields.ts';
import { MOVE_SCOPES, MOVE_MESSAGES } from './moves.ts';

/** Moving a dose: to when, and whether all after it move as far. */
export const moveDoseSchema = z.object({
  dueDate: momentField(MOVE_MESSAGES.dueDate),
  scope: z.enum(MOVE_SCOPES, { error: MOVE_MESSAGES.scope }).default('this'),
});

export type MoveDoseInput = z.input<typeof moveDoseSchema>;
