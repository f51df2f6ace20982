import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { takeDose } from '#app/features/doses/doses.server.ts';
import { openTestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson } from '#tests/support/people.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;

/**
 * The product's files that are executed meanwhile. Leaves out the embedded engine, and index files, which only re-export
 * names.
 */
async function filesRunning(act: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
  const files = ran.map(({ url }) => path.relative(ROOT, url.replace(/^file:\/\//, '').replace(/\?.*$/, '')));
  return [...new Set(files)]
    .filter((file) => /^(?:app|models)\/(?!engine\/)/.test(file) && !file.endsWith('/index.server.ts'))
    .sort();
}

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
