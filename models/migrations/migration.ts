import type { Connection } from 'mongoose';

/** What one piece of a migration did. */
export interface MigrationStep {
  /** Where the next piece begins. */
  cursor: string;
  /** How many documents were changed. */
  changed: number;
}

/**
 * A change of what is stored, for data of older versions. It is done in pieces of at most some thousand documents; after
 * a crash the piece that ran is run again, so each must come to the same when it is repeated. The program of the version
 * before may still be running: what is written has to be readable for both.
 */
export interface Migration {
  /** Date and name, for example `2026-12-01-dose-units`. Never changed once released. */
  id: string;
  description: string;
  /**
   * Does the piece that begins at `cursor`.
   * @param cursor what the piece before returned, null at first
   * @returns null when nothing is left
   */
  step(connection: Connection, cursor: string | null): Promise<MigrationStep | null>;
}
