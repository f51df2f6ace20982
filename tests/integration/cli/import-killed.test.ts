import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calculationStatistics } from '#app/features/calculator/calculations.server.ts';
import { recoverImports } from '#app/features/import/import.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { CLI_PATH, runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { sized } from '#tests/support/size.ts';
import { databaseEnv } from '#tests/support/named-deployment.ts';

/** An import whose process is killed midway is finished by the worker, or undone by its owner. */
const ROWS = sized(3_000, 5_000);

let db: TestDatabase;
let file: string;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true, realTime: true });
  file = path.join(db.directory, 'calculations.json');
  const calculations = Array.from({ length: ROWS }, (_, index) => ({
    id: `calc_${String(index).padStart(12, '0')}`,
    createdAt: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    peptideName: `Row ${index}`,
    peptideAmount: 5,
    waterVolume: 2,
    desiredDose: 0.25,
  }));
  await writeFile(file, JSON.stringify({ calculations }));
});
afterAll(() => db.dispose());

const cli = (...words: string[]) => runCli(words, { env: db.env });
const written = (person: Person, id: string) =>
  db.repos.importedCalculations.countImported(person.signedIn.user.id, id);

/** Starts the import in a separate process and kills it as soon as some rows are written. */
async function killedInTheMiddle(person: Person, email: string): Promise<string> {
  const child = spawn(process.execPath, [CLI_PATH, 'import', '--user', email, file], {
    env: databaseEnv({ ...process.env, DATA_DIR: db.directory }),
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const begun = async () =>
    (await db.repos.imports.list(person.signedIn.user.id, { skip: 0, limit: 1 })).at(0);
  const rows = async () => written(person, (await begun())?.id ?? '');
  await expect.poll(rows, { interval: 5 }).toBeGreaterThan(0);
  const { id = '' } = (await begun()) ?? {};
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  return id;
}

it('a killed import is finished by the worker', async () => {
  const person = await newPerson(db, 'killed@example.org', { plan: 'trial' });
  const id = await killedInTheMiddle(person, 'killed@example.org');
  const rows = await written(person, id);
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(ROWS);
  const list = await cli('import', '--user', 'killed@example.org', '--list', '--json');
  expect(JSON.parse(list.stdout)).toMatchObject({ imports: [{ id, state: 'applying' }], total: 1 });
  const now = () => new Date(Date.now() + 10 * 60_000);
  expect(await recoverImports({ ...db.ctx(WORKER.actor), now })).toBe(1);
  expect(await written(person, id)).toBe(ROWS);
  expect(await calculationStatistics(person.ctx)).toMatchObject({ totalCalculations: ROWS });
  const again = await cli('import', '--user', 'killed@example.org', file);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Added nothing.')]);
});

it('a killed import can be undone by its owner', async () => {
  const person = await newPerson(db, 'undone@example.org', { plan: 'trial' });
  const id = await killedInTheMiddle(person, 'undone@example.org');
  expect(await cli('import', '--user', 'undone@example.org', '--undo', id)).toMatchObject({ code: 0 });
  expect(await written(person, id)).toBe(0);
  expect(await calculationStatistics(person.ctx)).toMatchObject({ totalCalculations: 0 });
});
