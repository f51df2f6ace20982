import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { laterToday } from './schedules.ts';

/** A vial of 5 mg in 2 ml for each name, and a plan of 250 mcg a day from it, whose dose today is due within the hour. */
export async function planDoses(ctx: Ctx, names: readonly string[]): Promise<void> {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  for (const name of names) {
    await addVial(ctx, { name, amountMg: '5', waterMl: '2', reconstitutionDate: day(-2) });
    await createSchedule(ctx, {
      ...{ name, doseAmount: '250', doseUnit: 'mcg', frequency: { kind: 'daily' } },
      ...{ timeZone: 'UTC', startDate: day(0), times: [laterToday()] },
    });
  }
}
