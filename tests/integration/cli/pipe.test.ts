import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addVial } from '#app/services/vials.server.ts';
import { createSchedule } from '#app/services/schedules.server.ts';
import { saveNutrition } from '#app/services/nutrition.server.ts';
import { addSideEffect } from '#app/services/side-effects.server.ts';
import { logSite } from '#app/services/injection-sites.server.ts';
import { EXPORT_TYPES } from '#app/domain/schemas/export.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { CLI_PATH, runCli, spawnShell } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
const EXPORT = `export --format json --no-metadata --types ${EXPORT_TYPES.join(',')}`;
const VIALBOOK = `${process.execPath} ${CLI_PATH}`;
const shell = (line: string) => spawnShell(`set -o pipefail; ${line}`, { env: { DATA_DIR: db.directory } });
const cli = (words: string) => runCli(words.split(' '), { env: { DATA_DIR: db.directory } });
const exported = async (user: string) => (await cli(`${EXPORT} --user ${user}`)).stdout;
const withoutIds = (text: string) => text.replace(/"(id|compoundId)":"\w+"/g, '"$1":""');

beforeAll(async () => {
  // A directory of one's own goes with the real time, which the spawned program has, too.
  db = await openTestDatabase({
    directory: await mkdtemp(path.join(tmpdir(), 'vialbook-pipe-')),
  });
  const { ctx } = await newPerson(db, 'ada@example.org', { plan: 'trial' });
  await newPerson(db, 'fresh@example.org', { plan: 'trial' });
  await saveAll(ctx, [{ notes: '=1+1' }, { notes: 'a "b"\nc' }]);
  const { id: compoundId } = await addVial(ctx, {
    name: 'BPC-157',
    totalAmount: '5',
    waterMl: '2',
  });
  const now = ctx.now().toISOString();
  const frequency = { kind: 'once' };
  const days = { startDate: '2199-01-01', timeZone: 'UTC', times: ['08:00'] };
  await createSchedule(ctx, {
    name: 'Late',
    doseAmount: '1',
    doseUnit: 'mg',
    frequency,
    ...days,
    compoundId,
  });
  await saveNutrition(ctx, { date: now.slice(0, 10), calories: 2000 });
  await addSideEffect(ctx, {
    name: '@Nausea',
    severity: 2,
    startedAt: now,
    compoundId,
  });
  await logSite(ctx, { site: 'deltoid-left', takenAt: now, notes: "'=x" });
});
afterAll(async () => {
  await db.dispose();
  await rm(db.directory, { recursive: true, force: true });
});

it('export piped into import gives a fresh account equal data; piped twice it doubles nothing', async () => {
  const pipe = `${VIALBOOK} ${EXPORT} --user ada@example.org | ${VIALBOOK} import --user fresh@example.org -`;
  const source = await exported('ada@example.org');
  const first = await shell(pipe);
  expect([first.code, first.stdout]).toEqual([0, '']);
  expect(first.stderr).toContain(
    'Added 2 calculations, 1 compounds, 1 schedules, 1 nutrition, 1 sideEffects, 1 injectionSites.',
  );
  expect(withoutIds(await exported('fresh@example.org'))).toBe(withoutIds(source));
  const again = await shell(pipe);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Added nothing.')]);
  expect(withoutIds(await exported('fresh@example.org'))).toBe(withoutIds(source));
}, 180_000);

it('lists imports, undoes them by id, and says with --json what it did', async () => {
  const list = async () =>
    JSON.parse((await cli('import --user fresh@example.org --list --json')).stdout) as {
      id: string;
      state: string;
      added: object;
    }[];
  const [, whole] = await list();
  expect(whole).toMatchObject({ state: 'done', added: { calculations: 2 } });
  const undone = await cli(`import --user fresh@example.org --undo ${whole?.id} --json`);
  expect(JSON.parse(undone.stdout)).toEqual({
    id: whole?.id,
    state: 'undone',
    kept: {},
  });
  expect(JSON.parse(await exported('fresh@example.org'))).toMatchObject({
    calculations: [],
    schedules: [],
  });
  const text = await cli('import --user fresh@example.org --list');
  expect(text.stdout).toMatch(/^imp_\w+ {2}\S+ {2}done {6}nothing\nimp_\w+ {2}\S+ {2}undone/);
});

it.each([
  ['--undo imp_none', 4],
  ['--undo imp_none --list', 2],
  ['', 2],
  ['file.json --list', 2],
  ['/tmp', 2],
])('ends `import %s` with %i', async (words, code) => {
  expect((await cli(`import --user ada@example.org ${words}`.trim())).code).toBe(code);
});
