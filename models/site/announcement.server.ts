import { Schema, trusted, type Connection } from 'mongoose';
import { AUDIENCES, type Announcement } from '#app/domain/system/announcement.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `announcements`. The audit trail records who wrote it. */
interface AnnouncementRow extends Omit<Announcement, 'id' | 'endsAt' | 'revision'> {
  _id: string;
  /** Null before the first change. */
  revision: number | null;
  /** A far-future date when no end is set, so that one index finds everything that has not ended. */
  endsAt: Date;
}

/** A document of `announcement_dismissals`: an account dismissed an announcement. */
interface AnnouncementDismissalRow {
  /** The owner's id and the announcement's. */
  _id: string;
  userId: string;
  announcementId: string;
  at: Date;
}

const text = { type: String, required: true } as const;

const announcementSchema = new Schema<AnnouncementRow>(
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

const announcementDismissalSchema = new Schema<AnnouncementDismissalRow>(
  { _id: text, userId: text, announcementId: text, at: { type: Date, required: true } },
  { collection: 'announcement_dismissals' },
);

announcementDismissalSchema.index({ userId: 1 });

/** Stored when no end is set. */
const NEVER = new Date('9999-12-31T00:00:00.000Z');

function toRecord({ _id, endsAt, revision, ...rest }: AnnouncementRow): Announcement {
  const end = endsAt.getTime() === NEVER.getTime() ? null : endsAt;
  return { id: _id, ...rest, endsAt: end, revision: revision ?? 0 };
}

/** Announcements, and who has dismissed them. */
export function createAnnouncementRepository(connection: Connection) {
  const model = modelOf<AnnouncementRow>(connection, 'Announcement', announcementSchema);
  const dismissals = modelOf<AnnouncementDismissalRow>(
    connection,
    'AnnouncementDismissal',
    announcementDismissalSchema,
  );
  return {
    async create({ id, endsAt, revision: _first, ...rest }: Announcement): Promise<void> {
      await model.create({ _id: id, ...rest, endsAt: endsAt ?? NEVER });
    },

    /**
     * Replaces an announcement that has not ended and is unchanged since it was read.
     * @returns false when someone else has changed or ended it, or its end has passed
     */
    async replace(
      { id, revision }: Pick<Announcement, 'id' | 'revision'>,
      { endsAt, ...rest }: Omit<Announcement, 'id' | 'revision'>,
      now: Date,
    ): Promise<boolean> {
      const known = { _id: id, revision: revision === 0 ? null : revision, endsAt: trusted({ $gt: now }) };
      const next = { ...rest, endsAt: endsAt ?? NEVER, revision: revision + 1 };
      return (await model.updateOne(known, { $set: next })).modifiedCount === 1;
    },

    async find(id: string): Promise<Announcement | null> {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toRecord(row);
    },

    /** Current and upcoming announcements, the first to end first. */
    async listOpen(now: Date, limit: number): Promise<Announcement[]> {
      const rows = await model
        .find({ endsAt: trusted({ $gt: now }) })
        .sort({ endsAt: 1 })
        .limit(limit)
        .lean();
      return rows.map(toRecord);
    },

    /** Past announcements, the last to end first. */
    async listOver(now: Date, limit: number): Promise<Announcement[]> {
      const rows = await model
        .find({ endsAt: trusted({ $lte: now }) })
        .sort({ endsAt: -1 })
        .limit(limit)
        .lean();
      return rows.map(toRecord);
    },

    /** Ends an announcement. @returns false when it does not exist or has already ended */
    async end(id: string, now: Date): Promise<boolean> {
      const open = { _id: id, endsAt: trusted({ $gt: now }) };
      return (await model.updateOne(open, { $set: { endsAt: now } })).modifiedCount === 1;
    },

    /** Dismisses an announcement for an account. A second call changes nothing. */
    async dismiss(userId: string, announcementId: string, at: Date): Promise<void> {
      await dismissals.updateOne(
        { _id: `${userId}:${announcementId}`, userId },
        { $setOnInsert: { announcementId, at } },
        { upsert: true },
      );
    },

    /** The ids that an account has dismissed. */
    async dismissedBy(userId: string): Promise<Set<string>> {
      const rows = await dismissals.find({ userId }, { announcementId: 1 }).lean();
      return new Set(rows.map(({ announcementId }) => announcementId));
    },
  };
}
