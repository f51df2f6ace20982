import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportType } from '#app/domain/records/type-names.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { calculationStatistics } from '#app/features/calculator/calculations.server.ts';
import { getAdherence } from '#app/features/doses/adherence.server.ts';
import {
  dryRunImport,
  getImport,
  listImports,
  prepareImport,
  applyImport,
  runImport,
  undoImport,
} from '#app/features/import/import.server.ts';
import { correctRemaining, addVial } from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { saveAll } from '#tests/support/calculations.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
let ada: Person;
let json: string;
let csv: string;
let count = 0;

const bytes = (text: string) => ({ bytes: new TextEncoder().encode(text) });
const someone = (plan?: 'trial') => newPerson(db, `person${(count += 1)}@example.org`, plan ? { plan } : {});

async function exportOf(
  ctx: Ctx,
  format: 'csv' | 'json',
  types: ExportType[] = ['calculations', 'compounds'],
) {
  return textOf((await prepareExport(ctx, { format, types, includeMetadata: false })).open());
}

/** The records of an export without their ids, which belong to the account that had them first. */
const withoutIds = (text: string) => text.replace(/"id":"\w+"/g, '"id":""');

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
  await saveAll(ada.ctx, [{ peptideName: '=BPC' }, { notes: "'quoted" }, { desiredDose: '100' }]);
  const { id } = await addVial(ada.ctx, {
    name: 'TB-500',
    totalAmount: '5',
    waterMl: '3',
    reconstitutionDate: '2090-03-01',
  });
  await correctRemaining(ada.ctx, id, { remainingAmount: '1.1' });
  json = await exportOf(ada.ctx, 'json');
  csv = await exportOf(ada.ctx, 'csv');
});
afterAll(() => db.dispose());

describe('an import', () => {
  it.each(['json', 'csv'] as const)(
    'of %s gives a fresh account equal data, and twice nothing more',
    async (format) => {
      const { ctx } = await someone('trial');
      const file = bytes(format === 'json' ? json : csv);
      const rows = { calculations: 3, compounds: 1 };
      expect(await dryRunImport(ctx, file)).toEqual({
        rows,
        fresh: rows,
        bad: [],
        badCount: 0,
        unusual: [],
        unusualCount: 0,
        health: null,
      });
      expect(await exportOf(ctx, 'json', ['calculations'])).not.toContain('=BPC');
      expect((await runImport(ctx, file)).added).toEqual(rows);
      expect(withoutIds(await exportOf(ctx, 'json'))).toBe(withoutIds(json));
      expect(await calculationStatistics(ctx)).toMatchObject({ totalCalculations: 3 });
      expect((await runImport(ctx, file)).added).toEqual({});
      expect(withoutIds(await exportOf(ctx, 'json'))).toBe(withoutIds(json));
    },
  );

  it('keeps the ids on another server, and adds nothing to an account that has everything', async () => {
    const elsewhere = await openTestDatabase();
    const { ctx } = await newPerson(elsewhere, 'ada@example.org', { plan: 'trial' });
    await runImport(ctx, bytes(json));
    expect(await exportOf(ctx, 'json')).toBe(json);
    await elsewhere.dispose();
    expect((await runImport(ada.ctx, bytes(csv))).added).toEqual({});
    expect(await exportOf(ada.ctx, 'json')).toBe(json);
  });

  it('can be undone for seven days, and reports the changed records that it keeps', async () => {
    const { ctx } = await someone('trial');
    const { id } = await runImport(ctx, bytes(json));
    const [vial] = (JSON.parse(await exportOf(ctx, 'json', ['compounds'])) as { compounds: { id: string }[] })
      .compounds;
    await correctRemaining(ctx, vial?.id ?? '', { remainingAmount: '1' });
    expect(await undoImport(ctx, id)).toEqual({ compounds: 1 });
    expect(await undoImport(ctx, id)).toEqual({ compounds: 1 });
    expect(JSON.parse(await exportOf(ctx, 'json'))).toMatchObject({
      calculations: [],
      compounds: [{ remainingAmount: 1 }],
    });
    expect(await calculationStatistics(ctx)).toMatchObject({ totalCalculations: 0 });
    await expect(applyImport(ctx, id)).rejects.toMatchObject({ conflict: 'IMPORT_UNDONE' });
    db.clock.advance(1000);
    const again = await runImport(ctx, bytes(json));
    expect(again.added).toEqual({ calculations: 3 });
    db.clock.advance(7 * 86_400_000);
    await expect(undoImport(ctx, again.id)).rejects.toMatchObject({ conflict: 'UNDO_EXPIRED' });
    expect((await listImports(ctx)).items.map(({ state }) => state)).toEqual(['done', 'undone']);
    db.clock.advance(-7 * 86_400_000);
  });

  it('imports nothing if a row is bad, and says which', async () => {
    const { ctx } = await someone('trial');
    const wrong = json.replace('"peptideAmount":5', '"peptideAmount":500');
    await expect(runImport(ctx, bytes(wrong))).rejects.toMatchObject({
      code: 'BAD_ROWS',
      fields: { 'calculations, line 1': ['peptideAmount: Peptide amount must be between 0.1mg and 100mg'] },
    });
    expect(JSON.parse(await exportOf(ctx, 'json'))).toEqual({ calculations: [], compounds: [] });
  });

  it('is finished by repeating the request after an interruption', async () => {
    const { ctx, signedIn } = await someone('trial');
    const { id } = await prepareImport(ctx, bytes(json));
    await db.repos.imports.move(signedIn.user.id, id, ['checked'], { state: 'applying' });
    expect(
      (await Promise.all([applyImport(ctx, id), applyImport(ctx, id)])).map(
        ({ added }) => added.calculations,
      ),
    ).toEqual([3, 3]);
    expect(withoutIds(await exportOf(ctx, 'json'))).toBe(withoutIds(json));
  });

  it('cannot be seen or undone by another user', async () => {
    const [one, other] = [await someone('trial'), await someone('trial')];
    const { id } = await prepareImport(one.ctx, bytes(json));
    for (const attempt of [getImport, applyImport, undoImport])
      await expect(attempt(other.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('importing into a free account', () => {
  const vials = (number: number) =>
    JSON.stringify({
      compounds: Array.from({ length: number }, (_, index) => ({
        id: `vial_${String(index).padStart(24, 'f')}`,
        createdAt: '2090-01-01T00:00:00.000Z',
        name: `Vial ${index}`,
        totalAmount: 5,
      })),
    });

  it('accepts three vials but not a fourth, all or none', async () => {
    const { ctx } = await someone();
    await expect(runImport(ctx, bytes(vials(4)))).rejects.toMatchObject({ code: 'PLAN_LIMIT' });
    expect(JSON.parse(await exportOf(ctx, 'json', ['compounds']))).toEqual({ compounds: [] });
    expect((await runImport(ctx, bytes(vials(3)))).added).toEqual({ compounds: 3 });
    await expect(addVial(ctx, { name: 'Fourth', totalAmount: '1' })).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
    });
  });

  it('keeps calculations in the session, or permanently at the terminal, and refuses doses', async () => {
    const { ctx, email } = await someone();
    const file = bytes(await exportOf(ada.ctx, 'json', ['calculations']));
    await runImport(ctx, file);
    expect(await exportOf(ctx, 'json', ['calculations'])).toContain('=BPC');
    const kept = async () =>
      (await prepareExport(db.ctx(TERMINAL), { format: 'json', types: ['calculations'] }, email))
        .totalRecords;
    expect(await kept()).toBe(0);
    const other = await someone();
    await runImport(db.ctx(TERMINAL), file, { email: other.email });
    expect(await exportOf(other.ctx, 'json', ['calculations'])).toContain('=BPC');
    const doses = bytes('takenAt,name,amount,unit\n2026-01-01T08:00Z,BPC-157,250,mcg');
    await expect(dryRunImport(ctx, doses)).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
  });
});

describe('importing a plain table of doses', () => {
  it('adds each dose once, as taken, without drawing from stock', async () => {
    const { ctx, signedIn } = await someone('trial');
    const file = bytes(
      'name,takenAt,unit,amount,site,notes\n"\'=BPC",2026-01-01T08:00Z,mcg,250,deltoid-left,fine\nTB,2026-01-02 08:00,mg,1,,\n',
    );
    const { id, added } = await runImport(ctx, file);
    expect(added).toEqual({ doses: 2 });
    expect((await runImport(ctx, file)).added).toEqual({});
    const doses = await db.repos.doses.listBetween(
      signedIn.user.id,
      new Date('2026-01-01'),
      new Date('2026-02-01'),
    );
    expect(doses).toMatchObject([
      {
        name: '=BPC',
        actualDose: '250',
        doseUnit: 'mcg',
        site: 'deltoid-left',
        notes: 'fine',
        status: 'taken',
        draws: [],
      },
      { name: 'TB', actualDose: '1', site: null, notes: null },
    ]);
    // They have no plan, so they do not count for adherence.
    expect((await getAdherence(ctx)).total).toMatchObject({ taken: 0, due: 0, text: null });
    expect(await undoImport(ctx, id)).toEqual({});
    expect(await db.repos.doses.listBetween(signedIn.user.id, new Date(0), new Date('2099-01-01'))).toEqual(
      [],
    );
  });
});

describe('unusual amounts in an import', () => {
  it('are listed by row in the dry run and imported only after confirmation', async () => {
    const { ctx } = await newPerson(db, 'slips@example.org', { plan: 'trial' });
    const rows = [250, 250, 2500, 250].map(
      (amount, index) => `2026-01-0${index + 1}T08:00:00Z,BPC,${amount},mcg`,
    );
    const file = bytes(`takenAt,name,amount,unit\n${rows.join('\n')}\n`);
    expect(await dryRunImport(ctx, file)).toMatchObject({
      fresh: { doses: 4 },
      unusualCount: 1,
      unusual: [
        {
          type: 'doses',
          line: 4,
          code: 'ABOVE_PLAN',
          reason: '2,500 mcg is 10 × your usual 250 mcg.',
        },
      ],
    });
    await expect(runImport(ctx, file)).rejects.toMatchObject({
      code: 'CONFIRM_DOSE',
      message: expect.stringContaining('doses, line 4: 2,500 mcg'),
    });
    expect((await runImport(ctx, file, { confirm: true })).added).toEqual({ doses: 4 });
  });

  it('need confirmation even after more future reconstitution days than are listed', async () => {
    const { ctx } = await newPerson(db, 'ahead@example.org', { plan: 'trial' });
    const vials = Array.from({ length: 101 }, (_, index) => ({
      ...{ id: `vial_${String(index).padStart(24, 'c')}`, createdAt: '2026-01-01T00:00:00.000Z' },
      ...{ name: 'Ahead', totalAmount: 5, waterMl: 2, reconstitutionDate: '2190-03-08' },
    }));
    const doses = [1, 1, 10].map((amount, index) => ({
      ...{ id: `dose_${String(index).padStart(24, 'd')}`, name: 'BPC', amount, unit: 'mg' },
      takenAt: `2026-01-0${index + 1}T08:00:00.000Z`,
    }));
    const { unusual, unusualCount } = await dryRunImport(
      ctx,
      bytes(JSON.stringify({ compounds: vials, doses })),
    );
    expect([unusualCount, unusual.length]).toEqual([102, 100]);
    expect(unusual[0]).toMatchObject({ type: 'doses', code: 'ABOVE_PLAN' });
    expect(unusual[1]).toMatchObject({
      ...{ type: 'compounds', code: 'RECONSTITUTED_IN_FUTURE' },
      reason: 'Reconstituted on 8 Mar 2190, which is in the future.',
    });
    const all = runImport(ctx, bytes(JSON.stringify({ compounds: vials, doses })));
    await expect(all).rejects.toMatchObject({ code: 'CONFIRM_DOSE' });
    expect((await runImport(ctx, bytes(JSON.stringify({ compounds: vials })))).added).toEqual({
      compounds: 101,
    });
  });
});

describe('importing a hostile file', () => {
  it.each([
    ['a renamed binary', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]), 'INVALID_INPUT'],
    ['zeros', new Uint8Array(10), 'INVALID_INPUT'],
    ['nothing', new Uint8Array(), 'INVALID_INPUT'],
    ['33 MB', new Uint8Array(33 * 1024 * 1024).fill(10), 'PAYLOAD_TOO_LARGE'],
    ['deep JSON', bytes('{"calculations":'.repeat(50_000)).bytes, 'INVALID_INPUT'],
    ['broken JSON', bytes('{"calculations":[}').bytes, 'INVALID_INPUT'],
    ['open quotes', bytes('dataType,id\n"calculations').bytes, 'INVALID_INPUT'],
    ['a line without end', bytes(`dataType,id\n${'x'.repeat(300_000)}`).bytes, 'INVALID_INPUT'],
    ['too many rows', bytes(`takenAt,name,amount,unit\n${'x\n'.repeat(100_001)}`).bytes, 'PAYLOAD_TOO_LARGE'],
  ])('of %s is refused', async (_what, content, code) => {
    await expect(dryRunImport(ada.ctx, { bytes: content })).rejects.toMatchObject({ code });
  });
});
