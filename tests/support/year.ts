import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { logDose } from '#app/features/doses/doses.server.ts';
import { addMeasurement } from '#app/features/tracking/health/measurements.server.ts';
import { saveNutrition } from '#app/features/tracking/nutrition/nutrition.server.ts';
import { addOrderDocument, addOrder } from '#app/features/vendors/orders.server.ts';
import { addProduct, addSupplier } from '#app/features/vendors/suppliers.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addSideEffect } from '#app/features/tracking/side-effects/side-effects.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { certificate } from './papers.ts';
import { asSomeone } from './someone.ts';

const DAY = 86_400_000;

const COMPOUNDS = [
  { name: 'BPC-157', dose: '0.25', every: 1, vialMg: '5', cost: '29.90' },
  { name: 'Semaglutide', dose: '0.5', every: 7, vialMg: '5', cost: '89' },
  { name: 'Ipamorelin', dose: '0.2', every: 1.3, vialMg: '5', cost: '24.50' },
] as const;

const EFFECTS = ['Nausea', 'Headache', 'Fatigue', 'Injection-site reaction', 'Flushing'] as const;

/** How many days to create; 365 days are 700 doses, 200 side effects and 365 measurements. */
export interface YearSize {
  days: number;
}

/** Reproducible numbers without a generator's state: a wave with a long period. */
const wave = (index: number, of: number): number => (index * 7919 + 104_729) % of;

/** An instant so many days ago. */
const before = (ctx: Ctx, ago: number, hour: number): string =>
  new Date(ctx.now().getTime() - ago * DAY - ((24 - hour) % 24) * 3_600_000 - 60_000).toISOString();

async function fillDoses(ctx: Ctx, { days }: YearSize): Promise<void> {
  let number = 0;
  for (const { name, dose, every, vialMg, cost } of COMPOUNDS) {
    for (let vial = 0; vial < 3; vial += 1)
      await addVial(ctx, { name, amountMg: vialMg, cost, currency: 'USD', lot: `L-${vial}` });
    for (let ago = days; ago > 0.5; ago -= every) {
      number += 1;
      await logDose(ctx, {
        name,
        actualDose: dose,
        doseUnit: 'mg',
        takenAt: before(ctx, ago, 8 + wave(number, 3)),
        site: SITE_IDS[wave(number, SITE_IDS.length)],
        confirmed: ['TOO_SOON', 'NO_OPEN_VIAL', 'OVER_DRAWN', 'PAST_DATE', 'NOT_RECONSTITUTED'],
      });
    }
  }
}

async function fillEffects(ctx: Ctx, { days }: YearSize): Promise<void> {
  for (let index = 0; index < (days * 200) / 365; index += 1)
    await addSideEffect(ctx, {
      name: EFFECTS[wave(index, EFFECTS.length)] ?? 'Headache',
      severity: 1 + wave(index, 5),
      startedAt: before(ctx, 0.5 + wave(index, days), 10),
      ...(index % 3 === 0 ? {} : { resolvedDate: new Date(ctx.now().getTime() - DAY / 4).toISOString() }),
    });
}

/** A daily weight that fluctuates and goes down. */
async function fillMeasurements(ctx: Ctx, { days }: YearSize): Promise<void> {
  for (let ago = days; ago >= 1; ago -= 1)
    await addMeasurement(ctx, {
      metric: 'weight',
      value: (78 + ago / 40 + wave(ago, 9) / 10).toFixed(1),
      measuredAt: before(ctx, ago, 7),
    });
}

/** Data for today's pages: a schedule, a day's nutrition, a supplier with an order that has arrived. */
async function fillToday(ctx: Ctx): Promise<void> {
  await createSchedule(ctx, {
    name: 'BPC-157',
    // More than the stock covers, so that the orders page says when to order.
    doseAmount: '750',
    doseUnit: 'mcg',
    frequency: { kind: 'daily' },
    times: ['08:00'],
    startDate: ctx.now().toISOString().slice(0, 10),
    // Three times the amount taken so far.
    confirm: true,
  });
  await saveNutrition(ctx, { date: ctx.now().toISOString().slice(0, 10), calories: 2150, protein: '140' });
  const { id: supplierId } = await addSupplier(ctx, { name: 'Acme Peptides', rating: '4' });
  const product = { name: 'BPC-157', mgPerVial: '5', price: '29.90', currency: 'USD' };
  await addProduct(ctx, supplierId, product);
  const order = await addOrder(ctx, { supplierId, lines: [{ ...product, quantity: '2' }] });
  await addOrderDocument(ctx, order.id, { fileName: 'COA L-2207.pdf', bytes: certificate() });
}

async function fill(ctx: Ctx, size: YearSize): Promise<void> {
  await fillDoses(ctx, size);
  await fillEffects(ctx, size);
  await fillMeasurements(ctx, size);
  await fillToday(ctx);
}

/**
 * Fills a running server's database with days of data, through the services, in this process.
 * @param dataDir the server's data directory
 */
export async function fillYear(dataDir: string, email: string, size: YearSize): Promise<void> {
  await asSomeone(dataDir, email, (ctx) => fill(ctx, size));
}
