import { expect, it } from 'vitest';
import type { ExportType } from '#app/domain/records/type-names.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { applyImport, prepareImport } from '#app/features/import/import.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { openTestDatabase } from '#tests/support/database.ts';
import { filesRunning } from '#tests/support/files-running.ts';
import { newPerson } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

it('importing a CSV file passes through at most 69 files', async () => {
  const db = await openTestDatabase();
  try {
    const ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
    await saveAll(ada.ctx, [{ peptideName: 'BPC-157' }]);
    await addVial(ada.ctx, {
      name: 'BPC-157',
      totalAmount: '5',
      waterMl: '2',
      reconstitutionDate: '2090-03-01',
    });
    await createSchedule(ada.ctx, {
      name: 'BPC-157',
      doseAmount: '250',
      doseUnit: 'mcg',
      frequency: { kind: 'daily' },
      times: ['08:00'],
      timeZone: 'UTC',
      startDate: '2090-03-10',
    });
    const types: ExportType[] = ['calculations', 'compounds', 'schedules'];
    const file = await prepareExport(ada.ctx, { format: 'csv', types, includeMetadata: false });
    const bytes = new TextEncoder().encode(await textOf(file.open()));
    const eve = await newPerson(db, 'eve@example.org', { plan: 'trial' });
    const files = await filesRunning(async () => {
      const { id, fresh } = await prepareImport(eve.ctx, { bytes });
      expect(fresh).toEqual({ calculations: 1, compounds: 1, schedules: 1 });
      await applyImport(eve.ctx, id);
    });
    expect(files).toContain('app/features/import/import.server.ts');
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(69);
  } finally {
    await db.dispose();
  }
});
