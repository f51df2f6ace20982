import type { Connection } from 'mongoose';
import { retryOnDuplicate } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { serverSignalSchema, type ServerSignalRow } from './process-signals.model.server.ts';

/** What all processes of this server can be asked to do. */
export type Signal = 'restart-worker';

/** A sign on the wall that every process looks at now and then. */
export function createServerSignalRepository(connection: Connection) {
  const model = modelOf<ServerSignalRow>(connection, 'ServerSignal', serverSignalSchema);
  return {
    /** Asks once more. */
    async ask(signal: Signal, askedAt: Date): Promise<void> {
      const more = { $inc: { count: 1 }, $set: { askedAt } };
      await retryOnDuplicate(() => model.updateOne({ _id: signal }, more, { upsert: true }));
    },

    /** How often it was asked for. */
    async count(signal: Signal): Promise<number> {
      return (await model.findOne({ _id: signal }).lean())?.count ?? 0;
    },
  };
}

export type ServerSignalRepository = ReturnType<typeof createServerSignalRepository>;
