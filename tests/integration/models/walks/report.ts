import { MAX_SHARES } from '#app/domain/reports/report-share.ts';
import { clinicianReport, reportCompounds } from '#app/features/reports/clinician-report.server.ts';
import {
  listReportShares,
  revokeReportShare,
  shareReport,
  openSharedReport,
} from '#app/features/reports/report-shares.server.ts';
import { addSideEffect } from '#app/features/tracking/side-effects/side-effects.server.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson } from '#tests/support/people.ts';

/** A report, and links to it until an old one has to make room. */
export async function report(db: TestDatabase): Promise<void> {
  const person = await newPerson(db, 'reports@example.org', { plan: 'trial' });
  const { ctx } = person;
  const now = db.clock.now();
  const dose = await storedDose(db, await storedSchedule(db, person), now);
  const startedAt = now.toISOString();
  await addSideEffect(ctx, { name: 'Nausea', severity: 2, startedAt, doseId: dose.id });
  const day = startedAt.slice(0, 10);
  const period = { start: day, end: day };
  await reportCompounds(ctx);
  await clinicianReport(ctx, period);
  for (let made = 0; made <= MAX_SHARES; made += 1) {
    const { secret, share } = await shareReport(ctx, { ...period, days: '1' });
    if (made > 0) continue;
    await openSharedReport(db.ctx(), secret);
    await revokeReportShare(ctx, share.id);
  }
  await listReportShares(ctx);
}
