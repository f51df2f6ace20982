import * as z from 'zod';
import { yesField } from '#app/domain/forms/fields.ts';

const typed = z.string().default('');

/** The buttons of the proposals' page. */
export const proposalFormSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('accept').optional(), id: typed, mark: typed, confirm: yesField }),
  z.object({ intent: z.literal('decline'), id: typed }),
  z.object({ intent: z.literal('decline-all') }),
]);
