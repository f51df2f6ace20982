import { Schema, trusted, type Connection, type InferSchemaType } from 'mongoose';
import { modelOf } from '../store/model-of.server.ts';
import { claimBatch } from '../store/work-queue.server.ts';

/** A document of `mails`: a mail that waits for the mail server. It is removed once it was sent. */
const mailSchema = new Schema(
  {
    _id: { type: String, required: true },
    /** Recipient and text, encrypted: mails contain links that sign in. */
    sealed: { type: String, required: true },
    /** When it is tried next, or when the claim of the process that is sending it ends. */
    nextAt: { type: Date, required: true },
    claim: { type: String, default: null },
    attempts: { type: Number, default: 0 },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'mails' },
);

mailSchema.index({ nextAt: 1 });
mailSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

type MailRow = InferSchemaType<typeof mailSchema>;

/** A waiting mail, and the claim under which a process sends it. */
export type MailRecord = Omit<MailRow, '_id' | 'nextAt'> & { id: string };

function recordOf({ _id, sealed, claim, attempts, expiresAt }: MailRow): MailRecord {
  return { id: _id, sealed, claim: claim ?? null, attempts, expiresAt };
}

/** Mails that wait for the mail server. Nobody owns them: they are gone within a day, whatever happens. */
export function createMailRepository(connection: Connection) {
  const model = modelOf<MailRow>(connection, 'Mail', mailSchema);
  return {
    async create(mail: Pick<MailRecord, 'id' | 'sealed' | 'expiresAt'>, nextAt: Date): Promise<void> {
      const { id, ...rest } = mail;
      await model.create({ _id: id, ...rest, nextAt });
    },

    /** Claims mails that are due, until an instant. Each is claimed by one process. */
    async claim(now: Date, until: Date, mark: string, size: number): Promise<MailRecord[]> {
      const rows = await claimBatch<MailRow>(model, {
        free: { nextAt: trusted({ $lte: now }) },
        sort: { nextAt: 1 },
        take: { $set: { claim: mark, nextAt: until }, $inc: { attempts: 1 } },
        taken: { claim: mark },
        size,
      });
      return rows.map(recordOf);
    },

    /** Removes mails that were sent or given up. */
    async delete(ids: readonly string[]): Promise<void> {
      await model.deleteMany({ _id: trusted({ $in: [...ids] }) });
    },

    /** Tries a mail again later, unless another process has claimed it meanwhile. */
    async postpone({ id, claim }: MailRecord, nextAt: Date): Promise<void> {
      await model.updateOne({ _id: id, claim }, { $set: { claim: null, nextAt } });
    },
  };
}
