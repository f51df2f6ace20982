import * as z from 'zod';

/** Whom an announcement is for. */
export const AUDIENCES = ['all', 'free', 'premium'] as const;

type Audience = (typeof AUDIENCES)[number];

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

const moment = z.string().trim().max(40, { error: 'Enter a date and a time' }).optional();

/**
 * A new announcement as it is typed. Times are on the clocks of the administrator; without a start it begins now,
 * without an end it stands until somebody ends it.
 */
export const announcementSchema = z.object({
  title: z
    .string({ error: 'Title is required' })
    .trim()
    .min(1, { error: 'Title is required' })
    .max(120, { error: 'Title must be at most 120 characters' }),
  text: z
    .string({ error: 'Text is required' })
    .trim()
    .min(1, { error: 'Text is required' })
    .max(1000, { error: 'Text must be at most 1000 characters' }),
  audience: z.enum(AUDIENCES, { error: 'Audience must be all, free or premium' }),
  startsAt: moment,
  endsAt: moment,
  isDismissible: z.preprocess((value) => value === true || value === 'on', z.boolean()),
});

/** What is told to whoever changes one that somebody else has changed since it was shown. */
export const STALE_ANNOUNCEMENT =
  'Someone else has changed this announcement. Review it before you change it.';

/** A change of one: all of it as it shall be, and the revision of the one that was shown, as the form had it. */
export const changeAnnouncementSchema = announcementSchema.extend({
  revision: z.string().max(20).catch(''),
});

export type ChangeAnnouncementInput = z.input<typeof changeAnnouncementSchema>;

export type AnnouncementInput = z.input<typeof announcementSchema>;
