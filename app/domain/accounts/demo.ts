import { HOUR_MS } from '#app/domain/time/durations.ts';

/** Where the addresses of demo accounts are. No mail can reach `.invalid` (RFC 2606, section 2). */
export const DEMO_DOMAIN = 'demo.invalid';

/** Hours after which a demo account ends, with everything in it. */
const DEMO_HOURS = 24;

/** Demo accounts that can be there at once. */
export const MAX_DEMOS = 200;

/** Seconds until a demo ends, on average, while as many are there as can be. */
export const NEXT_DEMO_SECONDS = (DEMO_HOURS * HOUR_MS) / 1000 / MAX_DEMOS;

/**
 * Whether an address is that of a demo account. Whatever leaves this machine for an account asks this first, where it
 * is sent; what a person asks for is refused before, by the policy's `outsideDemo`.
 * @param email in its stored form
 */
export const isDemoAddress = (email: string): boolean => email.endsWith(`@${DEMO_DOMAIN}`);

/** The address of a new demo account. @param id of the account */
export const demoAddress = (id: string): string => `demo-${id}@${DEMO_DOMAIN}`;

/** When a demo ends that begins now. */
export const demoEnd = (now: Date): Date => new Date(now.getTime() + DEMO_HOURS * HOUR_MS);

/** What people read about the demo when it cannot do something. */
export const DEMO_MESSAGES = {
  notHere: 'This is not possible in the demo: nothing in it leaves this server. Create an account to use it.',
  full: 'All demos are in use at the moment. Please try again later, or create an account: it is free.',
  failed: 'The demo could not be made. Please try again.',
  notEmpty: 'This account has data already. The demo’s year is only written into an empty account.',
} as const;
