import { Schema, type InferSchemaType, type Connection } from 'mongoose';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `demo_interest`: who is waiting for the demo, and since when. Keyed by the address. */
const demoInterestSchema = new Schema(
  { _id: { type: String, required: true }, createdAt: { type: Date, required: true } },
  { collection: 'demo_interest' },
);

type DemoInterestRow = InferSchemaType<typeof demoInterestSchema>;

/** Addresses of people who are waiting for the demo. */
export function createDemoInterestRepository(connection: Connection) {
  const model = modelOf<DemoInterestRow>(connection, 'DemoInterest', demoInterestSchema);
  return {
    /** Stores an address once, with the time it was first entered. @returns whether it is new */
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
