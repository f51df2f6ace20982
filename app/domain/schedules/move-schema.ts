import * as z from 'zod';
import { momentField } from '#app/domain/forms/fields.ts';
import { MOVE_SCOPES } from './moves.ts';

/** So many days ahead a dose can be moved: as far as doses are made. */
export const MOVE_DAYS = 35;

export const MOVE_MESSAGES = {
  moved: 'Dose moved',
  movedAll: 'Moved, with all doses after it',
  undone: 'Undone. The dose is due when it was before.',
  dueDate: 'Enter a date and a time',
  scope: 'Choose whether this dose moves alone or with all after it',
  past: 'Choose a time from now on',
  tooFar: `Choose a time within the next ${MOVE_DAYS} days`,
  unchanged: 'The dose is due then already',
  occupied: 'Another dose of this schedule is due then',
  pausedThen: 'This schedule is paused on that day',
  order:
    'An earlier dose of this schedule comes at or after that time. Move this dose alone, or choose a later time.',
  notPending: 'Only a dose that is not logged yet can be moved.',
  unplanned: 'Only a planned dose can be moved.',
  paused: 'This schedule is paused. Resume it first.',
} as const;

/** Moving a dose: to when, and whether all after it move as far. */
export const moveDoseSchema = z.object({
  dueDate: momentField(MOVE_MESSAGES.dueDate),
  scope: z.enum(MOVE_SCOPES, { error: MOVE_MESSAGES.scope }).default('this'),
});

export type MoveDoseInput = z.input<typeof moveDoseSchema>;
