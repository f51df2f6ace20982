import type { Connection } from 'mongoose';
import { createCompoundReader } from './compound-reader.server.ts';
import { createCompoundStock } from './compound-stock.server.ts';
import { createCompoundWriter } from './compound-writer.server.ts';

/** Vials: reading and writing. Every call names the owner. */
export function createCompoundRepository(connection: Connection) {
  return {
    ...createCompoundReader(connection),
    ...createCompoundStock(connection),
    ...createCompoundWriter(connection),
  };
}

export type CompoundRepository = ReturnType<typeof createCompoundRepository>;
