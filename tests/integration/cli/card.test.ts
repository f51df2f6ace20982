import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addVial } from '#app/features/vials/vials.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

const CALCULATION = ['--amount', '5mg', '--water', '2ml', '--dose', '275mcg', '--name', 'BPC-157'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-card-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the card of a calculation', () => {
  it('is a table of doses, without a database', async () => {
    const { code, stderr, stdout } = await runCli(['card', ...CALCULATION]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')[0]).toBe('BPC-157');
    expect(stdout).toMatch(/^Concentration\s+2\.5 mg\/ml$/m);
    expect(stdout).toMatch(/^137\.5 mcg\s+5 units\s+0\.055 ml\s+9\.09% less$/m);
    expect(stdout).toMatch(/^275 mcg\s+11 units\s+0\.11 ml\s+exact$/m);
    expect(stdout).toContain('Research reference only');
  });

  it('in international units names no mass', async () => {
    const { stdout } = await runCli(['card', '--amount', '5000IU', '--water', '2ml', '--dose', '250IU']);
    expect(stdout).toMatch(/^250 IU\s+10 units/m);
    expect(stdout).not.toMatch(/\d m(?:g|cg)\b/);
  });

  it('as JSON has the same rows', async () => {
    const { stdout } = await runCli(['card', ...CALCULATION, '--json']);
    const card = JSON.parse(stdout) as { name: string; rows: { dose: string; drawTo: string }[] };
    expect(card.name).toBe('BPC-157');
    expect(card.rows[1]).toMatchObject({ dose: '275 mcg', drawTo: '11 units', isMain: true });
  });

  it('is written as a PDF file', async () => {
    const file = path.join(folder, 'card.pdf');
    const { code, stderr } = await runCli(['card', ...CALCULATION, '--format', 'pdf', '--out', file]);
    expect([code, stderr]).toEqual([0, '']);
    expect((await readFile(file, 'latin1')).slice(0, 5)).toBe('%PDF-');
    const again = ['card', ...CALCULATION, '--format', 'pdf', '--out', file];
    expect((await runCli(again)).stderr).toContain('already exists');
    expect((await runCli([...again, '--force'])).code).toBe(0);
  });

  it.each([
    ['a wrong amount', ['--amount', '500mg', '--water', '2ml', '--dose', '1mg'], '--amount'],
    ['a vial as well', [...CALCULATION, '--vial', 'vial_1', '--user', 'ada@example.org'], 'either --vial'],
    ['a vial without its owner', ['--vial', 'vial_1'], '--user'],
    ['another format', [...CALCULATION, '--format', 'csv'], 'text or pdf'],
    ['a file for a text', [...CALCULATION, '--out', 'card.txt'], '--format pdf'],
  ])('is refused with %s', async (_, args, message) => {
    const { code, stderr, stdout } = await runCli(['card', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('the card of a vial', () => {
  let db: TestDatabase;
  let ada: Person;
  let id: string;
  beforeAll(async () => {
    db = await openTestDatabase();
    ada = await newPerson(db, 'card@example.org', { plan: 'trial', timeZone: 'UTC' });
    const startDate = new Date().toISOString().slice(0, 10);
    const water = { waterMl: '2', reconstitutionDate: startDate, lot: 'L-7' };
    id = (await addVial(ada.ctx, { name: 'BPC-157', amountMg: '5', ...water })).id;
    await createSchedule(ada.ctx, {
      ...{ name: 'BPC-157', doseAmount: '250', doseUnit: 'mcg', frequency: { kind: 'daily' } },
      ...{ times: ['08:00'], startDate, timeZone: 'UTC' },
    });
  });
  afterAll(() => db.dispose());

  it('has the doses of its schedule and its lot', async () => {
    const { code, stderr, stdout } = await runCli(['card', '--vial', id, '--user', ada.email], {
      env: db.env,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^250 mcg\s+10 units\s+0\.1 ml\s+exact$/m);
    expect(stdout).toMatch(/^Lot\s+L-7$/m);
  });

  it('of somebody else, or that does not exist, is not found', async () => {
    const other = await newPerson(db, 'other@example.org');
    for (const [vial, user] of [
      [id, other.email],
      ['vial_none', ada.email],
    ] as const) {
      const { code, stdout } = await runCli(['card', '--vial', vial, '--user', user], { env: db.env });
      expect([code, stdout]).toEqual([4, '']);
    }
  });
});
