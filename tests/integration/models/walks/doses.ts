import { findCeiling, listCeilings, setCeiling } from '#app/features/amounts/amounts.server.ts';
import { logDose, missDose, skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { listDoses, getCalendar } from '#app/features/doses/dose-lists.server.ts';
import { markMissedDoses } from '#app/features/doses/dose-effects.server.ts';
import { getToday } from '#app/features/doses/today.server.ts';
import { TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson } from '#tests/support/people.ts';
import { pageThrough } from './pages.ts';

/** Everything that can be done with doses, once. */
export async function logDoses(db: TestDatabase): Promise<void> {
  const person = await newPerson(db, 'doses@example.org', { plan: 'trial' });
  const { ctx, email } = person;
  const schedule = await storedSchedule(db, person);
  await stockedVial(person);
  const hours = (count: number) => new Date(db.clock.now().getTime() + count * 3_600_000);
  const [first, second] = [
    await storedDose(db, schedule, hours(-1)),
    await storedDose(db, schedule, hours(-30)),
  ];
  await takeDose(ctx, first.id, { site: 'deltoid-left' });
  await undoDose(ctx, first.id);
  await skipDose(ctx, first.id);
  await missDose(ctx, first.id);
  await setCeiling(ctx, { name: 'BPC-157', perDose: '5', perDay: '5', per7Days: '9' });
  await findCeiling(ctx, 'BPC-157');
  await listCeilings(db.ctx(TERMINAL), email);
  const confirmed = ['TOO_SOON', 'BELOW_PLAN'] as const;
  const logged = await logDose(ctx, { name: 'BPC-157', actualDose: '0.1', confirmed: [...confirmed] });
  await setCeiling(ctx, { name: 'BPC-157', perDose: null, perDay: null, per7Days: null });
  if (logged.done) await undoDose(ctx, logged.dose.id);
  await getToday(ctx);
  await getCalendar(ctx, 'month', '2090-03-10');
  await listDoses(ctx, { overdue: true });
  for (const query of [
    { startDate: '2020-01-01' },
    { status: 'pending' as const },
    { updatedSince: new Date(0) },
  ])
    await pageThrough(async (page) => ({ paging: await listDoses(ctx, { ...query, ...page }) }));
  await listDoses(db.ctx(TERMINAL), {}, email);
  await markMissedDoses(db.ctx(TERMINAL));
  await takeDose(ctx, second.id, { confirmed: ['TOO_SOON'] });
  await db.repos.doses.forgetMissTimes(person.signedIn.user.id);
}
