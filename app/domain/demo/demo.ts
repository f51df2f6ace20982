import { HOUR_MS } from '#app/domain/time/calendar.ts';
import * as z from 'zod';
import { currentZone, isTimeZone } from '#app/domain/time/zoned-time.ts';
import { emailSchema } from '#app/domain/accounts/account-schema.ts';

/** Hours after which a demo account and everything in it is deleted. */
const DEMO_HOURS = 24;

/** Demo accounts that can exist at once. */
export const MAX_DEMOS = 200;

/** Average seconds until the next demo ends while all are in use. */
export const NEXT_DEMO_SECONDS = (DEMO_HOURS * HOUR_MS) / 1000 / MAX_DEMOS;

/** When a demo that starts now ends. */
export const demoEnd = (now: Date): Date => new Date(now.getTime() + DEMO_HOURS * HOUR_MS);

/** Shown when no demo can be started. */
export const DEMO_MESSAGES = {
  full: 'All demos are in use at the moment. Please try again later, or create an account: it is free.',
  failed: 'The demo could not be started. Please try again.',
  notPremium: (email: string) =>
    `${email} has no Premium, which the demo’s year needs. Give it first: vialbook admin upgrade ${email}`,
  notEmpty: 'This account already has data. The demo year can only be added to an empty account.',
} as const;

/** What the browser sends to start a demo; without scripts, nothing. */
export const startDemoSchema = z.object({
  timeZone: z.string().refine(isTimeZone).transform(currentZone).optional().catch(undefined),
});

export type StartDemoInput = z.input<typeof startDemoSchema>;

/** The landing page's demo form. */
export const demoInterestSchema = z.object({ email: emailSchema });

export type DemoInterestInput = z.input<typeof demoInterestSchema>;
