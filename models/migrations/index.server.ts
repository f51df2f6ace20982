import { accountFields } from './account-fields.server.ts';
import type { Migration } from './migration.ts';

export type { Migration, MigrationStep } from './migration.ts';

/** All migrations in the order in which they run. Only ever added to at the end. */
export const MIGRATIONS: readonly Migration[] = [accountFields];
