import {
  dryRunImport,
  getImport,
  listImports,
  prepareImport,
  runImport,
  undoImport,
  recoverImports,
} from '#app/features/import/import.server.ts';
import { TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

const CREATED = '2090-01-01T00:00:00.000Z';
const PAST = '2026-01-01T08:00:00.000Z';
const FILE = JSON.stringify({
  calculations: [
    { id: 'calc_00000000', createdAt: CREATED, peptideAmount: 5, waterVolume: 2, desiredDose: 0.25 },
  ],
  lots: [{ id: 'lot_00000000', createdAt: CREATED, number: 'L-1', product: 'A' }],
  supplies: [
    {
      id: 'supply_00000000',
      createdAt: CREATED,
      name: 'Syringes',
      kind: 'syringe',
      count: 10,
      countedAt: PAST,
      perInjection: 1,
    },
  ],
  doses: [{ id: 'dose_00000000', takenAt: PAST, name: 'A', amount: 250, unit: 'mcg' }],
  compounds: [{ id: 'vial_00000000', createdAt: CREATED, name: 'A', totalAmount: 5 }],
  schedules: [
    {
      id: 'sched_00000000',
      createdAt: CREATED,
      name: 'A',
      compoundId: 'vial_00000000',
      doseAmount: 1,
      doseUnit: 'mg',
      frequency: 'daily',
      times: '08:00',
      startDate: '2090-01-01',
    },
  ],
  nutrition: [{ id: 'meal_00000000', createdAt: CREATED, date: '2026-01-01', calories: 2000 }],
  sideEffects: [{ id: 'fx_00000000', createdAt: CREATED, name: 'A', severity: 1, startedAt: PAST }],
  injectionSites: [{ id: 'site_00000000', createdAt: CREATED, site: 'deltoid-left', takenAt: PAST }],
  measurements: [
    { id: 'health_00000000', createdAt: CREATED, metric: 'weight', measuredAt: PAST, value: 80, unit: 'kg' },
  ],
});

/** Everything that can be done with files, once. */
export async function bringIn(db: TestDatabase): Promise<void> {
  const { ctx } = await newPerson(db, 'imports@example.org', { plan: 'trial' });
  const source = (text: string) => ({ bytes: new TextEncoder().encode(text) });
  for (let files = 0; files < 6; files += 1) await prepareImport(ctx, source(FILE));
  await prepareImport(ctx, source('{')).catch(() => undefined);
  await dryRunImport(ctx, source(FILE));
  const { id } = await runImport(ctx, source(FILE));
  await runImport(ctx, source('takenAt,name,amount,unit\n2026-01-01T08:00Z,BPC-157,250,mcg'));
  await listImports(ctx);
  await getImport(ctx, id);
  await undoImport(ctx, id);
  const later = new Date(db.clock.now().getTime() + 2 * 86_400_000);
  await recoverImports({ ...db.ctx(TERMINAL), now: () => later });
}
