import { HOUR_MS } from '#app/domain/time/calendar.ts';
import * as z from 'zod';
import { currentZone, isTimeZone } from '#app/domain/time/zoned-time.ts';
import { emailSchema } from '#app/domain/accounts/account-schema.ts';

/** Hours after which a demo account ends, with everything in it. */
const DEMO_HOURS = 24;

/** Demo accounts that can be there at once. */
export const MAX_DEMOS = 200;

/** Seconds until a demo ends, on average, while as many are there as can be. */
export const NEXT_DEMO_SECONDS = (DEMO_HOURS * HOUR_MS) / 1000 / MAX_DEMOS;

/** When a demo ends that begins now. */
export const demoEnd = (now: Date): Date => new Date(now.getTime() + DEMO_HOURS * HOUR_MS);

/** What people read about the demo when there is none for them. */
export const DEMO_MESSAGES = {
  full: 'All demos are in use at the moment. Please try again later, or create an account: it is free.',
  failed: 'The demo could not be made. Please try again.',
  notEmpty: 'This account has data already. The demo’s year is only written into an empty account.',
} as const;

/** What a browser says when a demo begins; without scripts nothing. */
export const startDemoSchema = z.object({
  timeZone: z.string().refine(isTimeZone).transform(currentZone).optional().catch(undefined),
});

export type StartDemoInput = z.input<typeof startDemoSchema>;

/** The landing page's demo form. */
export const demoInterestSchema = z.object({ email: emailSchema });

export type DemoInterestInput = z.input<typeof demoInterestSchema>;
