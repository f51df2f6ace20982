import { HOUR_MS } from '#app/domain/time/durations.ts';

/** Hours between the request for a deletion and the deletion, in which the owner can cancel it. */
export const DELETION_HOURS = 48;

/** When an account is deleted whose owner asks for it now. */
export function deletionTime(now: Date): Date {
  return new Date(now.getTime() + DELETION_HOURS * HOUR_MS);
}

/** True from the instant an account is due to be deleted: nobody signs in any more, even if its data is deleted later. */
export function isGone(account: { deleteAfter: Date | null }, now: Date): boolean {
  return (account.deleteAfter?.getTime() ?? Infinity) <= now.getTime();
}
