import { expect, it } from 'vitest';
import { takeDose } from '#app/features/doses/doses.server.ts';
import { openTestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { filesRunning } from '#tests/support/files-running.ts';
import { newPerson } from '#tests/support/people.ts';

it('taking a planned dose passes through at most 50 files', async () => {
  const db = await openTestDatabase();
  try {
    const ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
    const schedule = await storedSchedule(db, ada);
    await stockedVial(ada);
    const { id } = await storedDose(db, schedule, new Date('2090-03-10T08:00:00Z'));
    const files = await filesRunning(() => takeDose(ada.ctx, id, { site: 'abdomen-upper-left' }));
    expect(files).toContain('app/features/doses/doses.server.ts');
    expect(files).toContain('app/features/doses/dose-effects.server.ts');
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(50);
  } finally {
    await db.dispose();
  }
});
