import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dryRunImport, runImport, undoImport } from '#app/features/import/import.server.ts';
import {
  addMeasurement,
  listMeasurements,
  updateMeasurement,
} from '#app/features/tracking/health/measurements.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { APPLE_FILE, appleFile, asleep, bloodPressure, quantity } from '#tests/support/apple-health.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
let count = 0;

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const bytes = (text: string) => ({ bytes: new TextEncoder().encode(text) });
const someone = async (plan?: 'trial') =>
  (await newPerson(db, `measured${(count += 1)}@example.org`, plan ? { plan } : {})).ctx;
const valuesOf = async (ctx: Ctx) =>
  (await listMeasurements(ctx, { limit: 100 })).items.map(
    ({ metric, text, unit }) => `${metric} ${text} ${unit}`,
  );

describe('importing an Apple Health export', () => {
  it('shows a dry run first, adds nothing the second time, and can be undone', async () => {
    const ctx = await someone('trial');
    await addMeasurement(ctx, {
      metric: 'weight',
      value: '81.5',
      unit: 'kg',
      measuredAt: '2024-02-06T08:00:00Z',
    });
    const found = await dryRunImport(ctx, bytes(APPLE_FILE));
    expect(found).toMatchObject({ rows: { measurements: 8 }, fresh: { measurements: 8 }, badCount: 0 });
    expect(found.health?.understood).toHaveLength(8);
    expect(await valuesOf(ctx)).toEqual(['weight 81.5 kg']);
    const { id, added, health } = await runImport(ctx, bytes(APPLE_FILE));
    expect(added).toEqual({ measurements: 8 });
    expect(health).toEqual(found.health);
    expect(await valuesOf(ctx)).toHaveLength(9);
    expect((await runImport(ctx, bytes(APPLE_FILE))).added).toEqual({});
    expect(await undoImport(ctx, id)).toEqual({});
    expect(await valuesOf(ctx)).toEqual(['weight 81.5 kg']);
  });

  it('adds what is new in a later export, including days that were not over before', async () => {
    const ctx = await someone('trial');
    const first = [
      quantity('BodyMass', 'kg', 80, '2024-02-09 08:00:00'),
      quantity('HeartRate', 'count/min', 60, '2024-02-10 08:00:00'),
      asleep('AsleepCore', '2024-02-10 00:00:00', '2024-02-10 06:00:00'),
    ];
    expect((await runImport(ctx, bytes(appleFile(...first)))).added).toEqual({ measurements: 1 });
    const more = [
      quantity('HeartRate', 'count/min', 70, '2024-02-10 20:00:00'),
      quantity('BodyMass', 'kg', 79, '2024-02-11 08:00:00'),
    ];
    const later = appleFile(...first, ...more).replace('2024-02-10 09:00:00', '2024-02-12 09:00:00');
    expect((await runImport(ctx, bytes(later))).added).toEqual({ measurements: 3 });
    expect(await valuesOf(ctx)).toEqual(['weight 79 kg', 'heartRate 65 bpm', 'sleep 6 h', 'weight 80 kg']);
  });

  it('keeps changed measurements when it is undone', async () => {
    const ctx = await someone('trial');
    const { id } = await runImport(ctx, bytes(APPLE_FILE));
    const [weight] = (await listMeasurements(ctx, { metric: 'weight' })).items;
    await updateMeasurement(ctx, weight?.id ?? '', { value: '199' });
    expect(await undoImport(ctx, id)).toEqual({ measurements: 1 });
    expect(await valuesOf(ctx)).toEqual(['weight 199 lb']);
  });

  it('warns about a swapped blood pressure and imports it', async () => {
    const ctx = await someone('trial');
    const text = appleFile(bloodPressure(79, 121, '2024-02-07 08:00:00'));
    expect((await dryRunImport(ctx, bytes(text))).unusual).toMatchObject([
      { code: 'PRESSURE_SWAPPED', reason: expect.stringContaining('79/121') as string },
    ]);
    expect((await runImport(ctx, bytes(text))).added).toEqual({ measurements: 2 });
  });

  it('refuses the whole file for a value that the form would refuse', async () => {
    const ctx = await someone('trial');
    const text = appleFile(
      quantity('BodyMass', 'kg', 80, '2024-02-06 08:00:00'),
      quantity('BodyMass', 'kg', 8000, '2024-02-07 08:00:00'),
    );
    await expect(runImport(ctx, bytes(text))).rejects.toMatchObject({
      code: 'BAD_ROWS',
      rows: [{ line: 19, field: 'value', message: 'Weight must be from 1 to 700 kg, not 8000 kg' }],
    });
    expect(await valuesOf(ctx)).toEqual([]);
  });

  it('needs Premium, and no other user can see it', async () => {
    await expect(dryRunImport(await someone(), bytes(APPLE_FILE))).rejects.toMatchObject({
      code: 'PREMIUM_REQUIRED',
    });
    // It is asked for before the file is read: this one could not be read to its end.
    await expect(dryRunImport(await someone(), bytes(APPLE_FILE.slice(0, -50)))).rejects.toMatchObject({
      code: 'PREMIUM_REQUIRED',
    });
    const [ada, bob] = [await someone('trial'), await someone('trial')];
    await runImport(ada, bytes(APPLE_FILE));
    expect((await dryRunImport(bob, bytes(APPLE_FILE))).fresh).toEqual({ measurements: 8 });
    expect(await valuesOf(bob)).toEqual([]);
  });
});
