import { Schema } from 'mongoose';
import { AUDIENCES, type Announcement } from '#app/domain/system/announcement.ts';

/** A document of `announcements`. Who wrote it stands in the audit. */
export interface AnnouncementRow extends Omit<Announcement, 'id' | 'endsAt' | 'revision'> {
  _id: string;
  /** Null before the first change. */
  revision: number | null;
  /** The end of time when no end is set, so that one index finds all that are not over. */
  endsAt: Date;
}

/** A document of `announcement_dismissals`: somebody has put one away. */
export interface AnnouncementDismissalRow {
  /** The owner's id and the announcement's. */
  _id: string;
  userId: string;
  announcementId: string;
  at: Date;
}

const text = { type: String, required: true } as const;

export const announcementSchema = new Schema<AnnouncementRow>(
  {
    _id: text,
    title: text,
    text,
    audience: { type: String, enum: AUDIENCES, required: true },
    startsAt: { type: Date, required: true },
    endsAt: { type: Date, required: true },
    isDismissible: { type: Boolean, required: true },
    revision: { type: Number, default: null },
  },
  { collection: 'announcements' },
);

announcementSchema.index({ endsAt: 1 });

export const announcementDismissalSchema = new Schema<AnnouncementDismissalRow>(
  { _id: text, userId: text, announcementId: text, at: { type: Date, required: true } },
  { collection: 'announcement_dismissals' },
);

announcementDismissalSchema.index({ userId: 1 });
