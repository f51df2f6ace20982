import { Schema, trusted, type Connection } from 'mongoose';
import { siteDetails, siteDetailsOf, type SiteEntry } from '#app/domain/tracking/injection-site-schema.ts';
import { SITE_IDS, type SiteId } from '#app/domain/tracking/sites.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';
import { retryOnDuplicate } from '../store/writes.server.ts';
import { changedSince, during } from '../store/queries.server.ts';
import {
  importedUnlessEdited,
  EDITED,
  ownedRows,
  recordOf,
  type ListPart,
  type OwnedRecord,
} from '../store/owned-rows.server.ts';
import { modelOf, NOTES_CHANGES, textColumns } from '../store/model-of.server.ts';

/** A document of `injection_sites`. */
export interface InjectionSiteRow extends Omit<SiteEntry, 'id'> {
  _id: string;
  userId: string;
  createdAt: Date;
  /** When it was last changed; set by mongoose. */
  updatedAt?: Date;
  importId?: string;
  edits?: number;
}

export const injectionSiteSchema = new Schema<InjectionSiteRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    site: { type: String, required: true },
    takenAt: { type: Date, required: true },
    ...textColumns(siteDetails),
    pain: { type: Number, default: null },
    doseUnit: { type: String, required: true },
    doseId: { type: String, default: null },
    createdAt: { type: Date, required: true },
    importId: String,
    edits: Number,
  },
  { collection: 'injection_sites', ...NOTES_CHANGES },
);

injectionSiteSchema.index({ userId: 1, takenAt: -1, _id: -1 });
// The last use of each site.
injectionSiteSchema.index({ userId: 1, site: 1, takenAt: -1 });

export type InjectionSiteRecord = OwnedRecord<InjectionSiteRow>;

/** The entry of a dose, with what the dose says. */
type SiteOfDose = Pick<
  InjectionSiteRow,
  '_id' | 'userId' | 'createdAt' | 'site' | 'takenAt' | 'doseUnit' | 'doseId'
> &
  Pick<InjectionSiteRow, 'name' | 'compoundId' | 'dose' | 'volume'>;

/** Details that the row lacks are null. */
const toEntry = (row: InjectionSiteRow): InjectionSiteRecord => recordOf({ ...row, ...siteDetailsOf(row) });

/** Entries read at once; usually enough to include every site that a person uses. */
const LATEST_ENTRIES = 64;

const NEWEST_FIRST = { takenAt: -1, _id: -1 } as const;

/** Which injections to read: those taken in a range, changed since an instant. */
export interface SiteSelection extends InstantRange {
  updatedSince?: Date | undefined;
}

const filterOf = ({ updatedSince, ...range }: SiteSelection) => ({
  ...during('takenAt', range),
  ...changedSince(updatedSince),
});

/** Logged injections by site. Every call names the owner. */
export function createInjectionSiteRepository(connection: Connection) {
  const model = modelOf<InjectionSiteRow>(connection, 'InjectionSite', injectionSiteSchema);
  const rows = ownedRows(model, EDITED, toEntry);
  return {
    create: rows.insert,
    find: rows.find,
    update: rows.change,
    delete: rows.remove,

    /** Writes a dose's entry, replacing an earlier one of the same dose but for the details that a dose does not have. */
    async put({ _id, userId, createdAt, ...fields }: SiteOfDose): Promise<void> {
      const others = Object.entries(siteDetailsOf({})).filter(([name]) => !(name in fields));
      const update = { $set: fields, ...EDITED, $setOnInsert: { createdAt, ...Object.fromEntries(others) } };
      await retryOnDuplicate(() => model.updateOne({ _id, userId }, update, { upsert: true }));
    },

    list: (userId: string, selection: SiteSelection, page: ListPart) =>
      rows.list(userId, filterOf(selection), { sort: NEWEST_FIRST, ...page }),

    count: (userId: string, selection: SiteSelection) => rows.count(userId, filterOf(selection)),

    /** Entries of a range, oldest first, a batch at a time. */
    stream: (userId: string, range: InstantRange) =>
      rows.stream(userId, during('takenAt', range), { takenAt: 1, _id: 1 }),

    /**
     * When each site was last used. The latest entries usually cover all sites; each remaining one takes one index
     * read, however long the history.
     */
    async lastUses(userId: string): Promise<Map<SiteId, Date>> {
      const latest = await model
        .find({ userId }, { site: 1, takenAt: 1 })
        .sort(NEWEST_FIRST)
        .limit(LATEST_ENTRIES)
        .lean();
      const found = new Map<string, Date>();
      for (const { site, takenAt } of latest) if (!found.has(site)) found.set(site, takenAt);
      const missing = latest.length < LATEST_ENTRIES ? [] : SITE_IDS.filter((site) => !found.has(site));
      const isUsed = { userId, site: trusted({ $in: missing }) };
      const others = missing.length > 0 && (await model.findOne(isUsed, { _id: 1 }).lean()) ? missing : [];
      const earlier = await Promise.all(
        others.map((site) => model.findOne({ userId, site }, { takenAt: 1 }).sort({ takenAt: -1 }).lean()),
      );
      others.forEach((site, index) => {
        const at = earlier[index]?.takenAt;
        if (at) found.set(site, at);
      });
      return new Map(SITE_IDS.flatMap((site) => (found.has(site) ? [[site, found.get(site) as Date]] : [])));
    },
  };
}

/** Injections that an import adds. */
export const createInjectionSiteImport = (connection: Connection) =>
  importedUnlessEdited(modelOf<InjectionSiteRow>(connection, 'InjectionSite', injectionSiteSchema));
