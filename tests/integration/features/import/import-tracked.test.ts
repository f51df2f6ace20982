import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { EXPORT_TYPES } from '#app/domain/records/type-names.ts';
import { takeDose } from '#app/features/doses/doses.server.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { dryRunImport, runImport, undoImport } from '#app/features/import/import.server.ts';
import {
  addMeasurement,
  addMeasure,
  deleteMeasurement,
} from '#app/features/tracking/health/measurements.server.ts';
import { logSite, updateSiteEntry } from '#app/features/tracking/sites/injection-sites.server.ts';
import {
  deleteNutrition,
  findNutritionOf,
  saveNutrition,
} from '#app/features/tracking/nutrition/nutrition.server.ts';
import { swapSchedule, savePause, moveDose } from '#app/features/schedules/plan-changes.server.ts';
import { createSchedule, listSchedules, toggleSchedule } from '#app/features/schedules/schedules.server.ts';
import {
  addSideEffect,
  listSideEffects,
  updateSideEffect,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
import { addLot } from '#app/features/lots/lots.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { BODY, ownerIdOf } from '#tests/support/schedule-people.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
let ada: Person;
let json: string;
let csv: string;
let count = 0;

const DAY_MS = 86_400_000;
const bytes = (text: string) => ({ bytes: new TextEncoder().encode(text) });
const someone = async (plan?: 'trial') =>
  (await newPerson(db, `someone${(count += 1)}@example.org`, plan ? { plan } : {})).ctx;

async function exportOf(ctx: Ctx, format: 'csv' | 'json') {
  const request = { format, types: [...EXPORT_TYPES], includeMetadata: false };
  return textOf((await prepareExport(ctx, request)).open());
}

/** An export without the ids of its records and vials, which belong to the account that had them first. */
const withoutIds = (text: string) => text.replace(/(\\?")(id|compoundId|lotId)\1:\1\w+\1/g, '"$2":""');

const idsIn = (text: string) => [...text.matchAll(/"id":"(\w+)"/g)].map(([, id = '']) => id);

const FUTURE_DOSES = { from: new Date(0), before: new Date('2999-01-01'), status: 'pending' } as const;
const dosesOf = (ctx: Ctx) => db.repos.doses.list(ownerIdOf(ctx), FUTURE_DOSES);

const CERTIFICATE = {
  purityPercent: '99.1',
  netContentMg: '5.12',
  identityMethod: '+LC-MS',
  laboratory: 'Example; Laboratory',
  testedOn: '2026-09-14',
  reportKey: '-KEY',
  reportUrl: 'https://lab.example/report?a=1',
  expirationDate: '2028-05-31',
};

const ALL = {
  calculations: 1,
  lots: 2,
  compounds: 1,
  schedules: 3,
  doses: 1,
  nutrition: 1,
  sideEffects: 2,
  injectionSites: 2,
  measurements: 2,
};

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
  const { ctx } = ada;
  await saveAll(ctx, [{ notes: '=1+1' }]);
  const { id: compoundId } = await addVial(ctx, {
    name: 'BPC-157',
    totalAmount: '5',
    waterMl: '2',
    lot: '=A-1',
  });
  await addLot(ctx, { number: '@L-2', product: 'TB-500', ...CERTIFICATE, notes: 'a,b\n"c"' });
  const now = db.clock.now();
  const startDate = new Date(now.getTime() - 3 * DAY_MS).toISOString().slice(0, 10);
  await createSchedule(ctx, { ...BODY, startDate, compoundId, endsWithVial: true, notes: '@home\n"quoted"' });
  const ramp = { start: '250', step: '250', everyWeeks: 4, target: '1000' };
  const course = { weeksOn: 8, weeksOff: 4 };
  const frequency = { kind: 'weekdays', weekdays: ['mon', 'thu'] };
  const ramped = await createSchedule(ctx, {
    ...{ ...BODY, doseUnit: 'mcg', startDate, name: '-Ramp' },
    ...{ frequency, ramp, course },
  });
  const ahead = { scheduleId: ramped.id, status: 'pending' as const, from: now, limit: 2 };
  const [moved, movedWithAll] = await db.repos.doses.list(ownerIdOf(ctx), ahead);
  const later = (hours: number, { dueDate = now }: { dueDate?: Date } = {}) =>
    new Date(dueDate.getTime() + hours * 3_600_000).toISOString();
  await moveDose(ctx, moved?.id ?? '', { dueDate: later(3, moved) });
  await moveDose(ctx, movedWithAll?.id ?? '', { dueDate: later(26, movedWithAll), scope: 'following' });
  const dayIn = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  await savePause(ctx, ramped.id, { firstDay: dayIn(40), lastDay: dayIn(47) });
  await savePause(ctx, ramped.id, { firstDay: dayIn(20), lastDay: dayIn(20) });
  await swapSchedule(ctx, ramped.id, {
    fromDay: dayIn(60),
    name: '=TB "500"',
    doseAmount: '125',
    confirm: true,
  });
  await swapSchedule(ctx, ramped.id, { fromDay: dayIn(30), compoundId, confirm: true });
  const paused = await createSchedule(ctx, { ...BODY, startDate, name: 'Paused', endDate: '2099-12-31' });
  await toggleSchedule(ctx, paused.id, { isActive: false });
  const [first] = await db.repos.doses.list(ownerIdOf(ctx), { status: 'pending', from: now, limit: 1 });
  await takeDose(ctx, first?.id ?? '', {
    site: 'deltoid-left',
    confirmed: [...DOSE_WARNINGS],
  });
  await saveNutrition(ctx, { date: now.toISOString().slice(0, 10), calories: 2100, notes: "'=x" });
  const startedAt = now.toISOString();
  await addSideEffect(ctx, { name: '+Nausea', severity: 3, startedAt, compoundId, notes: 'a,b;c\nd' });
  await addSideEffect(ctx, {
    name: 'Headache',
    severity: 1,
    startedAt,
    resolvedDate: startedAt.slice(0, 10),
  });
  await logSite(ctx, { site: 'thigh-front-left', takenAt: startedAt, compoundId, dose: '0.25' });
  await addMeasurement(ctx, {
    metric: 'weight',
    value: '180.5',
    unit: 'lb',
    measuredAt: startedAt,
    notes: '=x',
  });
  const { key: metric } = await addMeasure(ctx, { name: 'Grip', unit: "'kg" });
  await addMeasurement(ctx, { metric, value: '41.25', measuredAt: startedAt });
  json = await exportOf(ctx, 'json');
  csv = await exportOf(ctx, 'csv');
});
afterAll(() => db.dispose());

describe('importing a complete export', () => {
  it.each(['json', 'csv'] as const)(
    'as %s restores equal data and adds nothing the second time',
    async (format) => {
      const ctx = await someone('trial');
      const file = bytes(format === 'json' ? json : csv);
      expect(await dryRunImport(ctx, file)).toEqual({
        rows: ALL,
        fresh: ALL,
        bad: [],
        badCount: 0,
        unusual: [],
        unusualCount: 0,
        health: null,
      });
      expect((await runImport(ctx, file)).added).toEqual(ALL);
      expect(withoutIds(await exportOf(ctx, 'json'))).toBe(withoutIds(json));
      expect((await runImport(ctx, file)).added).toEqual({});
      expect(withoutIds(await exportOf(ctx, 'json'))).toBe(withoutIds(json));
    },
  );

  it('links records to the imported vial, whatever its id is here', async () => {
    const ctx = await someone('trial');
    await runImport(ctx, bytes(json));
    const { compounds, schedules, sideEffects } = JSON.parse(await exportOf(ctx, 'json')) as Record<
      string,
      { id: string; compoundId?: string }[]
    >;
    const id = compounds?.[0]?.id;
    const { lots } = JSON.parse(await exportOf(ctx, 'json')) as { lots: { id: string; number: string }[] };
    const lot = lots.find(({ number }) => number === '=A-1');
    expect(compounds?.[0]).toMatchObject({ lot: '=A-1', lotId: lot?.id });
    expect(json).not.toContain(lot?.id);
    expect(json).not.toContain(id);
    expect(schedules?.map(({ compoundId }) => compoundId)).toContain(id);
    expect(sideEffects?.map(({ compoundId }) => compoundId)).toContain(id);
  });

  it('gives the ids of a foreign file to one of two accounts that import it at once', async () => {
    // No account here has these ids.
    const foreign = json
      .replaceAll(/(?<=_)[0-9a-f]{8}/g, 'f0f0f0f0')
      .replaceAll(/calc_\d{8}/g, 'calc_10000000');
    const both = [await someone('trial'), await someone('trial')];
    await Promise.all(both.map((ctx) => runImport(ctx, bytes(foreign))));
    const ids: string[] = [];
    for (const ctx of both) {
      const exported = await exportOf(ctx, 'json');
      ids.push(...idsIn(exported));
    }
    expect(ids.length).toBe(2 * idsIn(json).length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => foreign.includes(`"${id}"`)).length).toBeGreaterThan(5);
  });

  it('keeps no id of a file that another account has claimed', async () => {
    const ctx = await someone('trial');
    const id = 'vial_00000000feedfeedfeedfeed';
    const claim = (who: string) => db.repos.idClaims.claim('compounds', new Map([[id, who]]), db.clock.now());
    expect([...(await claim('somebody'))]).toEqual([]);
    expect([...(await claim('somebody'))]).toEqual([]);
    expect([...(await claim('else'))]).toEqual([id]);
    const file = JSON.parse(json) as { compounds: { id: string }[] };
    const compounds = file.compounds.map((vial) => ({ ...vial, id }));
    const text = bytes(
      JSON.stringify({ ...file, ...{ compounds, schedules: [], doses: [], sideEffects: [] } }),
    );
    expect((await runImport(ctx, text)).added).toMatchObject({ compounds: 1 });
    expect(idsIn(await exportOf(ctx, 'json'))).toContainEqual(
      expect.stringMatching(new RegExp(`^${id}[0-9a-f]{16}$`)),
    );
    expect((await runImport(ctx, text)).added).toEqual({});
  });

  it('generates doses of active schedules from where the export left off', async () => {
    const ctx = await someone('trial');
    await runImport(ctx, bytes(json));
    const due = (await dosesOf(ctx)).map(({ dueDate, name }) => `${name} ${dueDate.toISOString()}`);
    const left = (await dosesOf(ada.ctx)).filter(
      ({ status, dueDate, name }) => status === 'pending' && dueDate > db.clock.now() && name !== 'Paused',
    );
    expect(due.length).toBeGreaterThan(30);
    expect(due.toSorted()).toEqual(
      left.map(({ dueDate, name }) => `${name} ${dueDate.toISOString()}`).toSorted(),
    );
  });

  it('can be undone completely, doses included', async () => {
    const ctx = await someone('trial');
    const empty = await exportOf(ctx, 'json');
    const { id } = await runImport(ctx, bytes(csv));
    expect(await undoImport(ctx, id)).toEqual({});
    expect(await exportOf(ctx, 'json')).toBe(empty);
    expect(await dosesOf(ctx)).toEqual([]);
    expect((await runImport(ctx, bytes(json))).added).toEqual(ALL);
  });

  it('keeps changed records when it is undone', async () => {
    const ctx = await someone('trial');
    const { id } = await runImport(ctx, bytes(json));
    const [effect] = (await listSideEffects(ctx)).items;
    await updateSideEffect(ctx, effect?.id ?? '', { severity: 5 });
    const day = db.clock.now().toISOString().slice(0, 10);
    await saveNutrition(ctx, { date: day, protein: 100 });
    const sites = await db.repos.injectionSites.list(
      ownerIdOf(ctx),
      { from: null, before: null },
      { skip: 0, limit: 1 },
    );
    await updateSiteEntry(ctx, sites[0]?.id ?? '', { pain: 2 });
    const [dose] = await dosesOf(ctx);
    await takeDose(ctx, dose?.id ?? '', { confirmed: [...DOSE_WARNINGS] });
    expect(await undoImport(ctx, id)).toMatchObject({
      schedules: 1,
      nutrition: 1,
      sideEffects: 1,
      injectionSites: 1,
    });
    expect((await listSchedules(ctx)).items.map(({ id: kept }) => kept)).toEqual([dose?.scheduleId]);
    expect(await findNutritionOf(ctx, day)).toMatchObject({ calories: '2100', protein: '100' });
  });

  it('keeps an existing nutrition entry of a day', async () => {
    const ctx = await someone('trial');
    const day = db.clock.now().toISOString().slice(0, 10);
    await saveNutrition(ctx, { date: day, calories: 1500 });
    expect((await runImport(ctx, bytes(json))).added).toEqual({ ...ALL, nutrition: undefined });
    expect(await findNutritionOf(ctx, day)).toMatchObject({ calories: '1500' });
  });

  it('gives two accounts no id in common', async () => {
    const idsOf = async (userId: string) => {
      const found = new Map<string, string[]>();
      for (const { name } of (await testConnection(db).db?.listCollections().toArray()) ?? []) {
        const rows = testConnection(db).collection<{ _id: string }>(name);
        const ids = (await rows.find({ userId }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
        if (ids.length > 0) found.set(name, ids);
      }
      return found;
    };
    const { ctx, signedIn } = await newPerson(db, 'bea@example.org', { plan: 'trial' });
    expect((await runImport(ctx, bytes(json))).added).toEqual(ALL);
    const [hers, adas] = [await idsOf(signedIn.user.id), await idsOf(ownerIdOf(ada.ctx))];
    const kinds = ['calculations', 'compounds', 'doses', 'injection_sites', 'lots', 'measurements'];
    kinds.push('schedules', 'side_effects');
    expect([...hers.keys()]).toEqual(expect.arrayContaining([...kinds, 'nutrition']));
    for (const [name, ids] of hers)
      expect({ name, common: ids.filter((id) => adas.get(name)?.includes(id)) }).toEqual({
        name,
        common: [],
      });
  });

  it('gives the same records the same ids each time they come back to their account', async () => {
    const ctx = await someone('trial');
    const owned = async () =>
      (
        JSON.parse(await exportOf(ctx, 'json')) as Record<'measurements' | 'nutrition', { id: string }[]>
      ).measurements.map(({ id }) => id);
    const table = 'takenAt,name,amount,unit\n2026-01-01T08:00Z,BPC-157,250,mcg';
    const own = JSON.parse(json) as {
      measurements: { id: string }[];
      nutrition: { id: string; date: string }[];
    };
    const { measurements, nutrition } = own;
    const foreign = { ...measurements[0], id: `health_${'a'.repeat(64)}` };
    const file = bytes(JSON.stringify({ measurements: [...measurements, foreign], nutrition }));
    expect((await runImport(ctx, file)).added).toEqual({ measurements: 3, nutrition: 1 });
    expect((await runImport(ctx, bytes(table))).added).toEqual({ doses: 1 });
    const first = await owned();
    const saved = await exportOf(ctx, 'json');
    const gone = async () => {
      for (const id of await owned()) await deleteMeasurement(ctx, id);
      await deleteNutrition(ctx, (await findNutritionOf(ctx, nutrition[0]?.date ?? ''))?.id ?? '');
    };
    await gone();
    expect((await runImport(ctx, bytes(saved))).added).toEqual({ measurements: 3, nutrition: 1 });
    expect(await owned()).toEqual(first);
    expect((await runImport(ctx, file)).added).toEqual({});
    expect((await runImport(ctx, bytes(table))).added).toEqual({});
    await gone();
    expect((await runImport(ctx, file)).added).toEqual({ measurements: 3, nutrition: 1 });
    expect(await owned()).toEqual(first);
    expect((await runImport(ctx, bytes(saved))).added).toEqual({});
  });

  it.each(['schedules', 'nutrition', 'sideEffects', 'injectionSites', 'measurements'])(
    'takes no %s for a free account',
    async (type) => {
      const ctx = await someone();
      const only = JSON.stringify({ [type]: (JSON.parse(json) as Record<string, unknown>)[type] });
      await expect(runImport(ctx, bytes(only))).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
      const kept = db.repos.schedules.count(ownerIdOf(ctx));
      expect(await kept).toBe(0);
    },
  );
});

describe('a long import file', () => {
  const row = (index: number) => ({
    id: `calc_${String(index).padStart(20, '0')}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    peptideAmount: 5,
    waterVolume: 2,
    desiredDose: 0.25,
  });

  it('is read in pieces, in any order of its lists, and repeated records count once', async () => {
    const ctx = await someone('trial');
    const rows = Array.from({ length: 1200 }, (_, index) => row(index));
    const { compounds, sideEffects } = JSON.parse(json) as Record<string, unknown[]>;
    const file = JSON.stringify(
      { sideEffects, calculations: [...rows, row(0), row(1199)], compounds },
      null,
      2,
    );
    async function* pieces() {
      const all = new TextEncoder().encode(file);
      for (let at = 0; at < all.length; at += 1021) yield Promise.resolve(all.subarray(at, at + 1021));
    }
    const { added, rows: read } = await runImport(ctx, { bytes: pieces() as AsyncIterable<Uint8Array> });
    expect(read).toEqual({ calculations: 1200, compounds: 1, sideEffects: 2 });
    // The vial names a lot that is not in the file.
    expect(added).toEqual({ calculations: 1200, lots: 1, compounds: 1, sideEffects: 2 });
    const data = JSON.parse(await exportOf(ctx, 'json')) as Record<
      string,
      { id: string; compoundId: string }[]
    >;
    expect(data['sideEffects']?.map(({ compoundId }) => compoundId)).toContain(data['compounds']?.[0]?.id);
  });

  it('lists its first hundred bad rows and counts the others, even for two files at once', async () => {
    const ctx = await someone('trial');
    const wrong = (length: number) =>
      bytes(
        JSON.stringify({ calculations: Array.from({ length }, (_, index) => ({ ...row(index), id: 'x' })) }),
      );
    const [one, other] = await Promise.all([dryRunImport(ctx, wrong(1234)), dryRunImport(ctx, wrong(2))]);
    expect([one.badCount, one.bad.length, other.badCount]).toEqual([1234, 100, 2]);
    expect(one.bad[99]).toEqual({
      type: 'calculations',
      line: 100,
      reason: 'id: This is not the id of a calculation',
    });
    const both = await Promise.all([runImport(ctx, bytes(json)), runImport(ctx, bytes(csv))]);
    expect(both.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(withoutIds(await exportOf(ctx, 'json'))).toBe(withoutIds(json));
  });
});
