import * as z from 'zod';
import { idField, lineField } from '#app/domain/forms/fields.ts';
import { MAX_NAME_LENGTH } from '#app/domain/forms/text-fields.ts';
import {
  calendarDayField,
  confirmPlanSchema,
  doseField,
  SCHEDULE_MESSAGES,
  unlessBlank,
} from './schedule-schema.ts';

export const SWAP_MESSAGES = {
  saved: 'Change saved',
  undone: 'Undone. The schedule goes on as before.',
  fromDay: 'Enter the first day of the change as YYYY-MM-DD',
  past: 'Choose a day from today on',
  nothing: 'Choose another vial, or enter another name or dose',
  otherName: (name: string) => `This vial holds ${name}. Choose a vial of the compound you entered.`,
  tooMany: 'A schedule can have at most 50 changes of its compound, vial or dose',
  notFound: 'This change is not there any more.',
} as const;

/** Another compound, vial or dose from a day on. What is left out goes on as it is. */
export const swapSchema = z.object({
  fromDay: calendarDayField(SWAP_MESSAGES.fromDay),
  name: unlessBlank(lineField(SCHEDULE_MESSAGES.name, MAX_NAME_LENGTH)),
  compoundId: unlessBlank(idField(SCHEDULE_MESSAGES.compoundId)),
  doseAmount: unlessBlank(doseField(SCHEDULE_MESSAGES.doseAmount)),
  ...confirmPlanSchema.shape,
});

export type SwapInput = z.input<typeof swapSchema>;
