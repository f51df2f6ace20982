/** Hours in which a deletion can be called off (decisions, section 14). */
export const DELETION_HOURS = 48;

/** When an account goes whose deletion is asked for now. */
export function deletionTime(now: Date): Date {
  return new Date(now.getTime() + DELETION_HOURS * 3_600_000);
}

/** True from the instant an account is due to be deleted: nobody gets in any more, whenever the deletion is done. */
export function isGone(account: { deleteAfter: Date | null }, now: Date): boolean {
  return (account.deleteAfter?.getTime() ?? Infinity) <= now.getTime();
}
