import { Mongoose, type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { useEngine } from '#tests/support/engine.ts';

let count = 0;

/** A mongoose connection to an engine, with an empty database for every test. */
export function useMongoose(): { readonly connection: Connection } {
  const engine = useEngine();
  let server: Connection;
  let connection: Connection;
  beforeAll(async () => {
    // Mongoose as it comes, except that a transaction holds for everything within it: the program sets its own stricter.
    const mongoose = new Mongoose().set('transactionAsyncLocalStorage', true);
    server = await mongoose.createConnection(engine.uri).asPromise();
  });
  beforeEach(() => {
    count += 1;
    connection = server.useDb(`mongoose${count}`);
  });
  afterAll(() => server.close());
  return {
    get connection() {
      return connection;
    },
  };
}
