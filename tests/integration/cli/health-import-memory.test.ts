import { statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeAppleExport } from '#tests/support/apple-export.mjs';
import { spawnCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true });
  await newPerson(db, 'watch@example.org', { plan: 'trial' });
});
afterAll(() => db.dispose());

/** Imports a month of a watch's data at the terminal. @returns the memory used and the file's size, in MB */
async function peakOf(megabytes: number) {
  const file = path.join(db.directory, `export-${megabytes}.xml`);
  const expected = await writeAppleExport(file, { megabytes, days: 30 });
  const nodeArgs = ['--expose-gc', '--import', path.resolve('tests/support/live-memory.mjs')];
  const args = ['import', '--user', 'watch@example.org', file, '--dry-run', '--json'];
  const { code, stdout, stderr } = await spawnCli(args, { nodeArgs, env: { DATA_DIR: db.directory } });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { rows: { measurements: expected } }]);
  return { held: Number(/\d+\s*$/.exec(stderr)?.[0]) / 1024, size: statSync(file).size / 1024 / 1024 };
}

it('an Apple Health export ten times as large is read in the same memory', async () => {
  const [small, large] = [await peakOf(1), await peakOf(10)];
  expect(large.size).toBeGreaterThan(small.size * 6);
  expect(large.held / small.held).toBeLessThan(1.25);
});
