import * as z from 'zod';
import { currentZone, isTimeZone } from '#app/domain/time/zoned-time.ts';

/** What a browser says when a demo begins; without scripts nothing. */
export const startDemoSchema = z.object({
  timeZone: z.string().refine(isTimeZone).transform(currentZone).optional().catch(undefined),
});

export type StartDemoInput = z.input<typeof startDemoSchema>;
