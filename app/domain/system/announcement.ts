/** Whom an announcement is for. */
export const AUDIENCES = ['all', 'free', 'premium'] as const;

export type Audience = (typeof AUDIENCES)[number];

/** What an announcement says and to whom. */
export interface Announcement {
  id: string;
  title: string;
  text: string;
  audience: Audience;
  startsAt: Date;
  /** Null while no end is set. */
  endsAt: Date | null;
  /** Readers may put it away for good. */
  isDismissible: boolean;
  /** Moves with every change of it. */
  revision: number;
}

/** Where an announcement stands in its time. */
export type AnnouncementState = 'upcoming' | 'current' | 'over';

/** Shown from its start on and until right before its end. */
export function announcementState(
  { startsAt, endsAt }: Pick<Announcement, 'startsAt' | 'endsAt'>,
  now: Date,
): AnnouncementState {
  if (endsAt !== null && endsAt <= now) return 'over';
  return startsAt > now ? 'upcoming' : 'current';
}

/**
 * The announcements that somebody is shown, the one that began last first.
 * @param dismissed ids of those that the reader has put away; it counts only where that is allowed
 */
export function announcementsFor<A extends Announcement>(
  announcements: readonly A[],
  reader: { isPremium: boolean; dismissed: ReadonlySet<string> },
  now: Date,
): A[] {
  const audience: Audience = reader.isPremium ? 'premium' : 'free';
  return announcements
    .filter((one) => announcementState(one, now) === 'current')
    .filter((one) => one.audience === 'all' || one.audience === audience)
    .filter((one) => !one.isDismissible || !reader.dismissed.has(one.id))
    .sort((a, b) => b.startsAt.getTime() - a.startsAt.getTime());
}
