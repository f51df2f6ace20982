import * as z from 'zod';
import { saveKeyField } from '#app/domain/forms/fields.ts';

/** Who sees an announcement. */
export const AUDIENCES = ['all', 'free', 'premium'] as const;

type Audience = (typeof AUDIENCES)[number];

export interface Announcement {
  id: string;
  title: string;
  text: string;
  audience: Audience;
  startsAt: Date;
  /** Null while no end is set. */
  endsAt: Date | null;
  /** Readers can dismiss it for good. */
  isDismissible: boolean;
  /** Goes up with every change. */
  revision: number;
}

export type AnnouncementState = 'upcoming' | 'current' | 'over';

/** The start is included, the end is not. */
export function announcementState(
  { startsAt, endsAt }: Pick<Announcement, 'startsAt' | 'endsAt'>,
  now: Date,
): AnnouncementState {
  if (endsAt !== null && endsAt <= now) return 'over';
  return startsAt > now ? 'upcoming' : 'current';
}

/**
 * The announcements that a reader sees now, latest start first.
 * @param reader `dismissed` has the ids that the reader dismissed; it counts only for dismissible announcements
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
 * A new announcement. Times are in the administrator's time zone. Without a start it begins now; without an end it is
 * shown until someone ends it.
 */
export const announcementSchema = z.object({
  title: z
    .string({ error: 'Enter a title' })
    .trim()
    .min(1, { error: 'Enter a title' })
    .max(120, { error: 'Title must be at most 120 characters' }),
  text: z
    .string({ error: 'Enter the text' })
    .trim()
    .min(1, { error: 'Enter the text' })
    .max(1000, { error: 'Text must be at most 1000 characters' }),
  audience: z.enum(AUDIENCES, { error: 'Audience must be all, free or premium' }),
  startsAt: moment,
  endsAt: moment,
  isDismissible: z.preprocess((value) => value === true || value === 'on', z.boolean()),
});

/** The form for a new one. */
export const announcementFormSchema = announcementSchema.extend({ idempotencyKey: saveKeyField });

export const STALE_ANNOUNCEMENT =
  'Someone else has changed this announcement. Review it before you change it.';

/** A changed announcement in full, and the revision that the form was opened with. */
export const changeAnnouncementSchema = announcementSchema.extend({
  revision: z.string().max(20).catch(''),
});

export type ChangeAnnouncementInput = z.input<typeof changeAnnouncementSchema>;

export type AnnouncementInput = z.input<typeof announcementSchema>;

/** The button that dismisses an announcement and returns to the page it was on. */
export const dismissFormSchema = z.object({
  id: z.string().default(''),
  redirectTo: z.string().default(''),
});
