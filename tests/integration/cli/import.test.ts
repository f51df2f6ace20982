import { writeFile } from 'node:fs/promises';
import { allCounts } from '#app/domain/records/type-names.ts';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addVial } from '#app/features/vials/vials.server.ts';
import { APPLE_FILE } from '#tests/support/apple-health.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { zipOf } from '#tests/support/zips.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
const cli = (args: string[], input?: string) =>
  runCli(args, { env: db.env, ...(input === undefined ? {} : { stdin: input }) });
const exported = async (user: string) =>
  (
    await cli([
      'export',
      '--user',
      user,
      '--format',
      'json',
      '--no-metadata',
      '--types',
      'calculations,compounds',
    ])
  ).stdout;

beforeAll(async () => {
  db = await openTestDatabase();
  const { ctx } = await newPerson(db, 'ada@example.org', { plan: 'trial' });
  await saveAll(ctx, [{ peptideName: 'BPC-157' }, { notes: '=1+1' }]);
  await addVial(ctx, { name: 'TB-500', totalAmount: '5', waterMl: '2' });
  await newPerson(db, 'fresh@example.org');
});
afterAll(() => db.dispose());

it('imports an export: equal data for a new account, and no duplicates the second time', async () => {
  const source = await exported('ada@example.org');
  const dry = await cli(['import', '--user', 'fresh@example.org', '-', '--dry-run', '--json'], source);
  const counts = { calculations: 2, compounds: 1 };
  const all = { ...allCounts({}), ...counts };
  expect(JSON.parse(dry.stdout)).toEqual({
    dryRun: true,
    rows: all,
    added: all,
    unusual: [],
    healthFile: null,
  });
  const withoutIds = (text: string) => text.replace(/"id":"\w+"/g, '');
  const first = await cli(['import', '--user', 'fresh@example.org', '-'], source);
  expect(first).toMatchObject({
    code: 0,
    stdout: '',
  });
  expect(first.stderr).toMatch(
    /^Read 2 calculations, 1 vial\. Added 2 calculations, 1 vial\.\nUndo within 7 days: .* --undo imp_\w+\n$/,
  );
  expect(withoutIds(await exported('fresh@example.org'))).toBe(withoutIds(source));
  const again = await cli(['import', '--user', 'fresh@example.org', '-'], source);
  expect(again.stderr).toContain('Added nothing.');
  expect(withoutIds(await exported('fresh@example.org'))).toBe(withoutIds(source));
});

it('import lists a vial with a future reconstitution date, in the dry run and when importing', async () => {
  const vial = { id: `vial_${'f'.repeat(24)}`, createdAt: '2026-01-05T08:00:00.000Z', name: 'Ahead' };
  const rows = [{ ...vial, totalAmount: 5, waterMl: 2, reconstitutionDate: '2190-03-08' }];
  const file = JSON.stringify({ compounds: rows });
  const said = 'Reconstituted on 8 Mar 2190, which is in the future.';
  for (const more of [['--dry-run'], []]) {
    const done = await cli(['import', '--user', 'fresh@example.org', '-', ...more], file);
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining(said)]);
  }
});

it('import reports bad rows by line on stderr and exits with 2', async () => {
  const file = path.join(db.directory, 'doses.csv');
  await writeFile(file, 'takenAt,name,amount,unit\nsoon,BPC-157,250,mcg\n');
  const ran = await cli(['import', '--user', 'ada@example.org', file]);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain('doses, line 2: takenAt: Enter a date and a time');
});

it.each([
  [['--user', 'ada@example.org', '/nowhere/file.csv'], 4],
  [['--user', 'nobody@example.org', '-'], 4],
  [['-'], 2],
])('refuses %j with %i', async (args, code) => {
  expect((await cli(['import', ...args], '{"calculations":[]}')).code).toBe(code);
});

it('imports an Apple Health export, and lists what it imported and skipped', async () => {
  const file = path.join(db.directory, 'export.xml');
  await writeFile(file, APPLE_FILE);
  const dry = await cli(['import', '--user', 'ada@example.org', file, '--dry-run']);
  expect([dry.code, dry.stdout]).toEqual([0, '']);
  expect(dry.stderr).toContain('Would add 8 measurements.');
  expect(dry.stderr).toContain('Recognised: HKQuantityTypeIdentifierBodyMass, 1 record. Each reading');
  expect(dry.stderr).toContain(
    'Left out: HKQuantityTypeIdentifierStepCount, 1 record. Vialbook does not store this type.',
  );
  const done = await cli(['import', '--user', 'ada@example.org', file, '--json']);
  expect(JSON.parse(done.stdout)).toMatchObject({
    added: { measurements: 8 },
    healthFile: { leftOut: [{}, {}] },
  });
  const again = await cli(['import', '--user', 'ada@example.org', file]);
  expect(again.stderr).toContain('Added nothing.');
  await writeFile(
    path.join(db.directory, 'export.zip'),
    await zipOf({ 'apple_health_export/export.xml': APPLE_FILE }),
  );
  const zipped = await cli(['import', '--user', 'ada@example.org', path.join(db.directory, 'export.zip')]);
  expect([zipped.code, zipped.stderr]).toEqual([0, expect.stringContaining('Added nothing.')]);
});
