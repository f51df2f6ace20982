// The tests that run against any MongoDB server.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Tests of the embedded engine, its files, its query plans or a deployment of their own, and one that watches
 * the driver's commands, which include those of a backup if the engine does not create it.
 */
const ELSEWHERE = [
  'tests/integration/models/owner-in-every-query.test.ts',
  'tests/integration/features/admin/admin-list-plans.test.ts',
  'tests/integration/models/connection.test.ts',
  'tests/integration/models/migrations.test.ts',
  'tests/integration/cli/db.test.ts',
  'tests/integration/cli/deleted-account-files.test.ts',
  'tests/integration/cli/packed.test.ts',
  'tests/integration/features/system/backups.test.ts',
  'tests/integration/features/system/compaction.test.ts',
  'tests/integration/routes/faults.test.ts',
  'tests/integration/routes/outage.test.ts',
];

/** The test files of a folder, or the file itself, without those of `ELSEWHERE`. */
export function filesOf(place) {
  const files = statSync(place).isFile()
    ? [place]
    : readdirSync(place, { recursive: true }).map((file) => path.join(place, file));
  return files.filter((file) => /\.(test|spec)\.tsx?$/.test(file) && !ELSEWHERE.includes(file));
}
