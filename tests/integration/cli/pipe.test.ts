import { afterAll, beforeAll, expect, it } from 'vitest';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { listDoses } from '#app/features/doses/dose-lists.server.ts';
import { takeDose } from '#app/features/doses/doses.server.ts';
import { moveDose, savePause, swapSchedule } from '#app/features/schedules/plan-changes.server.ts';
import { addSupplier } from '#app/features/vendors/suppliers.server.ts';
import { listLots, updateLot } from '#app/features/lots/lots.server.ts';
import { addSupply } from '#app/features/supplies/supplies.server.ts';
import { addVial, discardVial } from '#app/features/vials/vials.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addMeasurement } from '#app/features/tracking/health/measurements.server.ts';
import { saveNutrition } from '#app/features/tracking/nutrition/nutrition.server.ts';
import { addSideEffect } from '#app/features/tracking/side-effects/side-effects.server.ts';
import { logSite } from '#app/features/tracking/sites/injection-sites.server.ts';
import { EXPORT_TYPES } from '#app/domain/records/type-names.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { CLI_PATH, runCli, spawnShell } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
/** All that the account has, as JSON. */
let source: string;
const EXPORT = `export --format json --no-metadata --types ${EXPORT_TYPES.join(',')}`;
const VIALBOOK = `${process.execPath} ${CLI_PATH}`;
const shell = (line: string) => spawnShell(`set -o pipefail; ${line}`, { env: { DATA_DIR: db.directory } });
const cli = (words: string, stdin?: string) =>
  runCli(words.split(' '), { env: db.env, ...(stdin === undefined ? {} : { stdin }) });
const exported = async (user: string) => (await cli(`${EXPORT} --user ${user}`)).stdout;
/** Including those in a cell that is itself JSON. */
const withoutIds = (text: string) => text.replace(/"(id|compoundId|lotId)(\\?)":(\\?")\w+/g, '"$1$2":$3');

const SCHEDULE = { doseAmount: '1', doseUnit: 'mg', timeZone: 'Europe/Berlin', times: ['08:00', '20:30'] };

/** One schedule of each kind, with every possible property. */
async function makeSchedules(ctx: Ctx, compoundId: string): Promise<void> {
  const startDate = ctx.now().toISOString().slice(0, 10);
  const firstDueAt = new Date(ctx.now().getTime() + 24 * 3_600_000).toISOString();
  const frequencies = [
    { kind: 'daily' },
    { kind: 'weekdays', weekdays: ['mon', 'thu'] },
    { kind: 'interval', every: 3 },
    { kind: 'cycle', on: 5, off: 2 },
    { kind: 'once' },
    { kind: 'monthly', day: 'last' },
    { kind: 'after-last', everyHours: 72 },
    { kind: 'as-needed', minGapHours: 4, maxPerDay: 3 },
  ];
  for (const frequency of frequencies)
    await createSchedule(ctx, {
      ...SCHEDULE,
      name: `-${frequency.kind}`,
      startDate,
      firstDueAt,
      frequency,
      compoundId,
    });
  const { id } = await createSchedule(ctx, {
    ...SCHEDULE,
    name: 'Everything',
    startDate,
    endDate: '2199-01-01',
    frequency: { kind: 'daily' },
    ramp: { start: '0.25', step: '0.25', everyWeeks: 4, target: '1' },
    course: { weeksOn: 8, weeksOff: 4 },
    route: '@belly',
    reminderLeadMinutes: 45,
    notes: "'=x",
  });
  // A schedule that ended with its vial.
  const gone = await addVial(ctx, {
    name: 'Gone',
    amountMg: '5',
    waterMl: '2',
    reconstitutionDate: startDate,
  });
  const ends = {
    ...SCHEDULE,
    startDate,
    frequency: { kind: 'daily' },
    compoundId: gone.id,
    endsWithVial: true,
  };
  await createSchedule(ctx, { ...ends, name: 'Gone' });
  await discardVial(ctx, gone.id);
  await savePause(ctx, id, { firstDay: '2190-05-03', lastDay: '2190-05-17' });
  await swapSchedule(ctx, id, { fromDay: '2190-06-01', compoundId, doseAmount: '0.5', confirm: true });
}

/** Data of every export type, with a value in every column. */
async function leaveOfEverything(ctx: Ctx): Promise<void> {
  const now = ctx.now().toISOString();
  const { id: supplierId } = await addSupplier(ctx, { name: 'Acme' });
  const { id: compoundId } = await addVial(ctx, {
    name: 'Healing',
    components: [
      { name: '=BPC-157', amount: '5' },
      { name: 'TB-500', amount: '3' },
    ],
    waterMl: '2',
    displacement: '1',
    reconstitutionDate: now.slice(0, 10),
    expirationDate: '2199-01-01',
    storageTemp: '2-8 C',
    lot: 'L-1',
    supplierId,
    cost: '29.90',
    currency: 'EUR',
    notes: '+notes',
  });
  const [{ lot } = expect.unreachable('the vial has a lot')] = (await listLots(ctx, { page: 1, limit: 1 }))
    .lots;
  await updateLot(ctx, lot.id, {
    expirationDate: '2199-01-01',
    purityPercent: '99.1',
    netContentMg: '5.12',
    identityMethod: '=LC-MS',
    laboratory: 'Example',
    testedOn: '2026-09-14',
    reportKey: '-KEY',
    reportUrl: 'https://lab.example/r',
    notes: '+lot',
  });
  // What pens, sprays and capsules have that a vial of powder has not.
  await addVial(ctx, {
    ...{ name: 'Pen', form: 'pen', amountUnit: 'IU', concentration: '10', waterMl: '1.5', clickMl: '0.01' },
  });
  await addVial(ctx, { name: 'Spray', form: 'spray', totalAmount: '10', waterMl: '5', sprayMl: '0.1' });
  await addVial(ctx, { name: 'Capsules', form: 'capsule', concentration: '0.5', pieces: '60' });
  await makeSchedules(ctx, compoundId);
  // A dose drawn from the vial, which opens it.
  const { doses: pending } = await listDoses(ctx, { status: 'pending' });
  const doseId = pending.find(({ name }) => name === '-daily')?.id ?? '';
  const later = pending.findLast(({ name }) => name === '-daily');
  const dueDate = new Date((later?.dueDate.getTime() ?? 0) + 3_600_000).toISOString();
  await moveDose(ctx, later?.id ?? '', { dueDate, scope: 'this' });
  await takeDose(ctx, doseId, { site: 'deltoid-left', notes: '=dose', confirmed: [...DOSE_WARNINGS] });
  const date = now.slice(0, 10);
  const macros = { calories: 2000, protein: '120.5', carbs: 200, fat: 60, water: 2500, notes: '\t=1' };
  await saveNutrition(ctx, { date, ...macros });
  await addMeasurement(ctx, { metric: 'weight', value: '80.5', measuredAt: `${date}T00:00`, notes: '=kg' });
  const effect = { name: '@Nausea', severity: 2, startedAt: now, resolvedDate: date, notes: 'x,y' };
  await addSideEffect(ctx, { ...effect, compoundId, doseId });
  const site = {
    site: 'thigh-front-left',
    takenAt: now,
    dose: '250',
    doseUnit: 'mcg',
    volume: '0.1',
  } as const;
  await logSite(ctx, { ...site, compoundId, pain: 2, notes: "'=x" });
  await addSupply(ctx, { kind: 'needle', name: '=31G', count: '100', perInjection: '2' });
}

beforeAll(async () => {
  // By the real time, which the spawned program uses, too.
  db = await openTestDatabase({ ownEngine: true, realTime: true });
  const { ctx } = await newPerson(db, 'ada@example.org', { plan: 'trial' });
  for (const email of ['fresh@example.org', 'table@example.org'])
    await newPerson(db, email, { plan: 'trial' });
  await saveAll(ctx, [
    { notes: '=1+1', peptideName: 'BPC-157' },
    { notes: 'a "b"\nc', displacement: '1', measuredAmount: '4.8' },
    {
      peptideName: '=BPC-157 + TB-500',
      components: [
        { name: '=BPC-157', amount: '5' },
        { name: 'TB-500', amount: '5' },
      ],
      doseOf: 'TB-500',
    },
    {
      form: 'pen',
      amountUnit: 'IU',
      desiredDoseUnit: 'IU',
      peptideAmount: '30',
      waterVolume: '3',
      clickMl: '0.05',
      desiredDose: '2',
    },
    { form: 'spray', peptideAmount: '10', waterVolume: '10', sprayMl: '0.1' },
    { form: 'capsule', waterVolume: undefined, peptideAmount: '0.5', pieces: '60' },
    { vials: '2' },
  ]);
  await leaveOfEverything(ctx);
  // Nothing below changes what she has.
  source = await exported('ada@example.org');
});
afterAll(() => db.dispose());

it('exports a value in every column of every type', async () => {
  const all = JSON.parse(source) as Record<string, Record<string, unknown>[]>;
  expect(Object.keys(all)).toEqual([...EXPORT_TYPES]);
  for (const type of EXPORT_TYPES) {
    for (const { name } of RECORD_TYPES[type].columns)
      expect(
        all[type]?.map((row) => row[name]),
        `${type} ${name}`,
      ).toContainEqual(expect.toSatisfy((value) => value !== null && value !== '' && value !== undefined));
  }
});

it.each([
  ['json', 'fresh@example.org'],
  ['csv', 'table@example.org'],
])(
  'export piped into import as %s gives a fresh account equal data; twice it doubles nothing',
  async (format, to) => {
    const from = EXPORT.replace('json', format);
    const pipe = `${VIALBOOK} ${from} --user ada@example.org | ${VIALBOOK} import --user ${to} -`;
    const first = await shell(pipe);
    expect([first.code, first.stdout]).toEqual([0, '']);
    expect(first.stderr).toContain(
      'Added 7 calculations, 1 lot, 5 vials, 10 schedules, 1 dose, 1 day of nutrition, 1 side effect, 2 injections, 1 measurement, 1 supply.',
    );
    expect(withoutIds(await exported(to))).toBe(withoutIds(source));
    const file = format === 'json' ? source : (await cli(`${from} --user ada@example.org`)).stdout;
    const again = await cli(`import --user ${to} -`, file);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Added nothing.')]);
    expect(withoutIds(await exported(to))).toBe(withoutIds(source));
  },
  600_000,
);

it('lists imports, undoes them by id, and says with --json what it did', async () => {
  const list = async () =>
    (
      JSON.parse((await cli('import --user fresh@example.org --list --json')).stdout) as {
        imports: { id: string; state: string; added: object }[];
      }
    ).imports;
  const [, whole] = await list();
  expect(whole).toMatchObject({ state: 'done', added: { calculations: 7 } });
  const undone = await cli(`import --user fresh@example.org --undo ${whole?.id} --json`);
  expect(JSON.parse(undone.stdout)).toMatchObject({
    id: whole?.id,
    state: 'undone',
    kept: { calculations: 0 },
  });
  expect(JSON.parse(await exported('fresh@example.org'))).toMatchObject({
    calculations: [],
    schedules: [],
  });
  const text = await cli('import --user fresh@example.org --list');
  expect(text.stdout).toMatch(/^imp_\w+ {2}\S+ {2}done +nothing\nimp_\w+ {2}\S+ {2}undone/);
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
