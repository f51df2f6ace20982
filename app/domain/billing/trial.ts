import { DAY_MS, TRIAL_DAYS } from './plan-constants.ts';

/** When a trial that starts now ends: exactly fourteen times 24 hours later. */
export function trialEnd(startedAt: Date): Date {
  return new Date(startedAt.getTime() + TRIAL_DAYS * DAY_MS);
}
