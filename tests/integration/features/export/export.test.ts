import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import type { CalculationInput } from '#app/domain/calculator/calculation.ts';
import { unguardFormula } from '#app/domain/records/csv-table.ts';
import type { ExportInput } from '#app/domain/export/export-schema.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { listCalculations } from '#app/features/calculator/calculations.server.ts';
import { calculation, saveAll } from '#tests/support/calculations.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { bytesOf, textOf } from '#tests/support/streams.ts';

const COLUMNS =
  'id,createdAt,type,peptideName,peptideAmount,waterVolume,desiredDose,concentration,injectionVolume,concentrationText,injectionVolumeText,notes,components,doseOf,measuredAmount,form,amountUnit,clickMl,sprayMl,pieces,vials';

let db: TestDatabase;
let person: Person;

const request = (more: Partial<ExportInput> = {}): ExportInput => ({
  format: 'csv',
  types: ['calculations'],
  ...more,
});

async function fileOf(who: Person, more: Partial<ExportInput> = {}): Promise<string> {
  return textOf((await prepareExport(who.ctx, request(more))).open());
}

const NASTY = ['=1+1', '+1', '-1', '@cmd', '\tTab', "'quoted", 'a,b "c"', 'line\nbreak', 'Ωmega 肽', ' - 1'];

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
  person = await newPerson(db, 'export@example.org', { plan: 'trial', timeZone: 'America/New_York' });
  const inputs: Partial<CalculationInput>[] = [
    { peptideAmount: '2.01', waterVolume: '2', desiredDose: '100', peptideName: 'BPC-157' },
    { peptideAmount: '05.00', waterVolume: '.5', desiredDose: '0.25', desiredDoseUnit: 'mg' },
    {
      solveFor: 'water',
      waterVolume: undefined,
      drawVolume: '0.1',
      desiredDose: '0.3',
      desiredDoseUnit: 'mg',
    },
    { solveFor: 'dose', desiredDose: undefined, drawVolume: '0.3' },
    ...NASTY.map((text) => ({ peptideName: text.trim() || undefined, notes: text })),
  ];
  for (const input of inputs) {
    db.clock.advance(1000);
    await saveAll(person.ctx, [input]);
  }
});
afterAll(() => db.dispose());

describe('a CSV export', () => {
  it('begins with the byte order mark, one header and the metadata row, in CRLF lines', async () => {
    const text = await fileOf(person);
    expect(
      text.startsWith('\ufeffdataType,exportDate,userEmail,version,totalRecords,' + COLUMNS + '\r\n'),
    ).toBe(true);
    const [, metadata] = text.split('\r\n');
    expect(metadata).toBe(
      `metadata,${db.clock.now().toISOString()},export@example.org,v1.0.0,14${','.repeat(COLUMNS.split(',').length)}`,
    );
    expect(await fileOf(person, { includeMetadata: false })).toMatch(
      new RegExp(`^\ufeffdataType,${COLUMNS}\r\n`),
    );
  });

  it('shows 2.01 mg in 2 ml as 1.01 and numbers as the shortest decimals', async () => {
    const rows = parse<Record<string, string>>(await fileOf(person, { includeMetadata: false }), {
      bom: true,
      columns: true,
    });
    expect(rows[0]).toMatchObject({
      dataType: 'calculations',
      peptideAmount: '2.01',
      waterVolume: '2',
      desiredDose: '0.1',
      concentration: '1.005',
      concentrationText: '1.01',
      injectionVolumeText: '0.100',
    });
    expect(rows[1]).toMatchObject({
      peptideAmount: '5',
      waterVolume: '0.5',
      desiredDose: '0.25',
      concentration: '10',
      concentrationText: '10.00',
      notes: '',
    });
  });

  it('parses to what was saved and to what the page shows', async () => {
    const rows = parse<Record<string, string>>(await fileOf(person, { includeMetadata: false }), {
      bom: true,
      columns: true,
    });
    const { items } = await listCalculations(person.ctx, { limit: 100 });
    expect(rows).toHaveLength(items.length);
    const byId = new Map(rows.map((row) => [row['id'], row]));
    for (const saved of items) {
      const row = byId.get(saved.id);
      const shown = calculate(saved);
      expect(row).toMatchObject({ createdAt: saved.createdAt.toISOString(), type: 'reconstitution' });
      expect(row?.['concentrationText']).toBe(shown.concentrationText);
      expect(row?.['injectionVolumeText']).toBe(shown.injectionVolumeText);
      expect(Number(row?.['peptideAmount'])).toBe(shown.peptideAmount);
      expect(Number(row?.['waterVolume'])).toBe(shown.waterVolume);
      expect(Number(row?.['desiredDose'])).toBe(shown.desiredDose);
      expect(Number(row?.['concentration'])).toBe(saved.concentration);
      expect(Number(row?.['injectionVolume'])).toBe(saved.injectionVolume);
      expect(unguardFormula(row?.['peptideName'] ?? '')).toBe(saved.peptideName ?? '');
      expect(unguardFormula(row?.['notes'] ?? '')).toBe(saved.notes ?? '');
    }
  });

  it('has no cell that a spreadsheet would run as a formula', async () => {
    const rows = parse(await fileOf(person), { bom: true }) as string[][];
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  });
});

describe('a JSON export', () => {
  it('has only the chosen types, even empty ones, and the metadata if requested', async () => {
    const types = ['schedules', 'calculations', 'sideEffects'] as const;
    const whole = JSON.parse(await fileOf(person, { format: 'json', types: [...types] })) as Record<
      string,
      unknown[]
    >;
    expect(Object.keys(whole)).toEqual(['metadata', 'calculations', 'schedules', 'sideEffects']);
    expect(whole).toMatchObject({
      metadata: { version: 'v1.0.0', totalRecords: 14 },
      schedules: [],
      sideEffects: [],
    });
    const bare = JSON.parse(await fileOf(person, { format: 'json', includeMetadata: false })) as object;
    expect(Object.keys(bare)).toEqual(['calculations']);
  });

  it('has the same data as the CSV, with numbers as numbers and unguarded text', async () => {
    const { calculations } = JSON.parse(await fileOf(person, { format: 'json' })) as {
      calculations: Record<string, unknown>[];
    };
    expect(Object.keys(calculations[0] ?? {}).join(',')).toBe(COLUMNS);
    expect(calculations[0]).toMatchObject({
      peptideAmount: 2.01,
      concentration: 1.005,
      concentrationText: '1.01',
      notes: null,
    });
    const { items } = await listCalculations(person.ctx, { limit: 100 });
    expect(calculations.map(({ notes }) => notes).sort()).toEqual(
      items.map(({ notes }) => notes ?? null).sort(),
    );
  });
});

describe('a PDF export', () => {
  it('is a complete file with as many pages as its rows need', async () => {
    const prepared = await prepareExport(person.ctx, request({ format: 'pdf' }));
    expect(prepared).toMatchObject({
      contentType: 'application/pdf',
      fileName: 'vialbook-export-2090-03-10.pdf',
    });
    const bytes = await bytesOf(prepared.open());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.subarray(-6).toString()).toContain('%%EOF');
    expect(bytes.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
  });
});

describe('the selection of an export', () => {
  it('includes the start and end days in the user’s time zone', async () => {
    const who = await newPerson(db, 'zone@example.org', { plan: 'trial', timeZone: 'America/New_York' });
    const userId = who.signedIn.user.id;
    // 4 March 2090 in New York is from 05:00Z to 05:00Z.
    const instants = ['04T04:59:59.999Z', '04T05:00:00.000Z', '05T04:59:59.999Z', '05T05:00:00.000Z'];
    for (const [index, time] of instants.entries()) {
      const id = `calc_${index}`;
      const createdAt = new Date(`2090-03-${time}`);
      const owned = { id: `${id}z`, saveKey: id, userId, signInId: null, createdAt };
      const figures = { concentration: 2.5, injectionVolume: 0.1 };
      await db.repos.calculations.create({ ...owned, input: calculation(), ...figures });
    }
    const ids = async (more: Partial<ExportInput>) => {
      const prepared = await prepareExport(who.ctx, request({ format: 'json', ...more }));
      const { calculations } = JSON.parse((await bytesOf(prepared.open())).toString()) as {
        calculations: { id: string }[];
      };
      expect(prepared.totalRecords).toBe(
        more.startDate || more.endDate ? calculations.length : prepared.totalRecords,
      );
      return calculations.map(({ id }) => id);
    };
    expect(await ids({ startDate: '2090-03-04', endDate: '2090-03-04' })).toEqual(['calc_1z', 'calc_2z']);
    expect(await ids({ startDate: '2090-03-05' })).toEqual(['calc_3z']);
    expect(await ids({ endDate: '2090-03-03' })).toEqual(['calc_0z']);
    expect(await ids({})).toHaveLength(4);
  });

  it('is counted before the file is made, and an empty one still gives a valid file', async () => {
    const prepared = await prepareExport(
      person.ctx,
      request({ startDate: '2001-01-01', endDate: '2001-01-31', format: 'json' }),
    );
    expect(prepared.totalRecords).toBe(0);
    expect(JSON.parse((await bytesOf(prepared.open())).toString())).toMatchObject({ calculations: [] });
    expect(await fileOf(person, { types: ['compounds'], includeMetadata: false })).toMatch(
      /^\ufeffdataType,id,[\w,]+\r\n$/,
    );
  });

  it.each([
    [{ types: [] }, 'Select at least one data type.'],
    [{ types: undefined }, 'Select at least one data type.'],
    [{ types: ['passwords'] }, 'Choose data types from the list.'],
    [{ format: 'xml' }, 'Choose CSV, JSON or PDF.'],
    [{ startDate: '2026-02-30' }, 'Enter a date as YYYY-MM-DD.'],
    [{ startDate: '2026-02-02', endDate: '2026-02-01' }, 'The end date must not be before the start date.'],
  ])('is refused for %j', async (more, message) => {
    const input = request(more as unknown as Partial<ExportInput>);
    await expect(prepareExport(person.ctx, input)).rejects.toMatchObject({ code: 'INVALID_INPUT', message });
  });
});

describe('permission to export', () => {
  it('covers premium types only for premium accounts, even at the terminal', async () => {
    const free = await newPerson(db, 'free@example.org');
    for (const type of ['doses', 'nutrition', 'sideEffects', 'injectionSites'] as const) {
      const input = request({ types: ['calculations', type] });
      await expect(prepareExport(free.ctx, input)).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
      await expect(prepareExport(db.ctx(TERMINAL), input, free.email)).rejects.toMatchObject({
        code: 'PREMIUM_REQUIRED',
      });
      expect((await prepareExport(person.ctx, input)).totalRecords).toBe(14);
    }
  });

  it("gives a free account its session's calculations, but not at the terminal", async () => {
    const free = await newPerson(db, 'free-2@example.org');
    await saveAll(free.ctx, [{ peptideName: 'mine' }]);
    expect((await prepareExport(free.ctx, request())).totalRecords).toBe(1);
    expect(await fileOf(free)).toContain('mine');
    const atTerminal = await prepareExport(db.ctx(TERMINAL), request(), ' FREE-2@example.org');
    expect(atTerminal).toMatchObject({ totalRecords: 0, isPremium: false });
    expect((await bytesOf(atTerminal.open())).toString()).not.toContain('mine');
  });

  it('requires an account', async () => {
    await expect(prepareExport(db.ctx(), request())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(prepareExport(db.ctx(TERMINAL), request(), 'x@example.org')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('ignores an e-mail address from a signed-in user, who always exports their own data', async () => {
    const other = await newPerson(db, 'free-3@example.org');
    expect((await prepareExport(other.ctx, request(), person.email)).userEmail).toBe(other.email);
  });
});
