import type { Connection } from 'mongoose';
import { demoInterestSchema, type DemoInterestRow } from './demo-interest.model.server.ts';
import { modelOf } from './model-of.server.ts';

/** Addresses of people who want to hear of the demo. */
export function createDemoInterestRepository(connection: Connection) {
  const model = modelOf<DemoInterestRow>(connection, 'DemoInterest', demoInterestSchema);
  return {
    /** Keeps an address once, with the time it came first. @returns whether it is new */
    async keep(email: string, at: Date): Promise<boolean> {
      const result = await model.updateOne(
        { _id: email },
        { $setOnInsert: { createdAt: at } },
        { upsert: true },
      );
      return result.upsertedCount === 1;
    },
  };
}

export type DemoInterestRepository = ReturnType<typeof createDemoInterestRepository>;
