import { isAppError } from '#app/domain/errors.ts';
import type { Database } from '#models/index.server.ts';

/** Whether requests can be answered. */
export interface Readiness {
  ready: boolean;
  /** How long the database took to answer, in ms; null when it did not. */
  databaseMs: number | null;
}

/** Asks the database whether it is there. Open to everyone: it tells nothing else. */
export async function checkReadiness(database: Pick<Database, 'ping'>): Promise<Readiness> {
  try {
    return { ready: true, databaseMs: Math.round(await database.ping()) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { ready: false, databaseMs: null };
  }
}
