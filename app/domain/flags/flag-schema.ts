import * as z from 'zod';
import { FLAGS } from './flags.ts';
import { reasonSchema } from '#app/domain/forms/fields.ts';

/** Switching a flag. `state` is what it shall be, so that pressing twice does not switch it back. */
export const switchFlagSchema = z.object({
  name: z.enum(FLAGS, { error: 'There is no such switch' }),
  state: z.enum(['on', 'off'], { error: 'State must be on or off' }),
  reason: reasonSchema,
});

export type SwitchFlagInput = z.input<typeof switchFlagSchema>;
