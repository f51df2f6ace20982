import type { Connection } from 'mongoose';
import { retryOnDuplicate } from './duplicate-key.server.ts';
import { halfLifeSchema, type HalfLifeRow } from './half-life.model.server.ts';
import { modelOf } from './model-of.server.ts';

/** Half-lives that people set for themselves. Every call names the owner. */
export function createHalfLifeRepository(connection: Connection) {
  const model = modelOf<HalfLifeRow>(connection, 'HalfLife', halfLifeSchema);
  return {
    /** Hours by name key, at most so many. */
    async listOf(userId: string, limit: number): Promise<Map<string, number>> {
      const rows = await model.find({ userId }).limit(limit).lean();
      return new Map(rows.map(({ nameKey, hours }) => [nameKey, hours]));
    },

    async set(userId: string, nameKey: string, hours: number): Promise<void> {
      await retryOnDuplicate(() =>
        model.updateOne({ userId, nameKey }, { $set: { hours } }, { upsert: true }),
      );
    },

    /** Back to the built-in one. */
    async clear(userId: string, nameKey: string): Promise<void> {
      await model.deleteOne({ userId, nameKey });
    },
  };
}
