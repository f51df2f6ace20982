import { describe, expect, it } from 'vitest';
import { cappedNote } from '#app/domain/reports/report-months.ts';
import {
  doseCells,
  doseColumns,
  effectCells,
  effectColumns,
  latenessOf,
  siteCells,
  siteColumns,
  vialCells,
  VIAL_COLUMNS,
  type ReportDose,
  effectLength,
  effectKinds,
  KIND_COLUMNS,
  type ReportEffect,
} from '#app/domain/reports/report-row-groups.ts';
import { vial } from '#tests/support/vials.ts';

const at = (text: string) => new Date(`2026-03-${text}Z`);
const DOSE: ReportDose = {
  scheduleId: 'sched_1',
  name: 'BPC-157',
  dueDate: at('09T07:00'),
  doseAmount: '250',
  doseUnit: 'mcg',
  status: 'taken',
  takenAt: at('09T07:12'),
  actualDose: '300',
  site: null,
  notes: 'after lunch',
};

describe('a dose in the report', () => {
  it('shows what was planned, what was taken, and how late', () => {
    expect(doseCells(DOSE, 'Europe/Berlin', false)).toEqual([
      '2026-03-09 08:00',
      'BPC-157',
      '250 mcg',
      'Taken',
      '300 mcg',
      '2026-03-09 08:12',
      '12 min late',
    ]);
  });

  it('is shown as not logged yet, without a time', () => {
    const open = { ...DOSE, status: 'pending', takenAt: null, actualDose: null } as const;
    expect(doseCells(open, 'UTC', false).slice(3)).toEqual(['Not logged yet', '–', '–', '–']);
    expect(latenessOf(open)).toBeNull();
  });

  it('is never early or late without a schedule', () => {
    const loose = { ...DOSE, scheduleId: null };
    expect(latenessOf(loose)).toBeNull();
    expect(doseCells(loose, 'UTC', false)).toEqual([
      'Not scheduled',
      'BPC-157',
      '–',
      'Taken',
      '300 mcg',
      '2026-03-09 07:12',
      '–',
    ]);
  });

  it.each(['missed', 'skipped'] as const)('has no timing if it was %s', (status) => {
    expect(latenessOf({ ...DOSE, status })).toBeNull();
    expect(doseCells({ ...DOSE, status }, 'UTC', false)[5]).toBe('–');
  });
});

describe('a side effect in the report', () => {
  const span = { startedAt: at('09T08:00'), resolvedDate: null, resolvedAt: null };

  it.each([
    [span, 'ongoing'],
    [{ ...span, resolvedDate: '2026-03-09T14:30:00.000Z', resolvedAt: at('09T14:30') }, '6.5 h'],
    [{ ...span, resolvedDate: '2026-03-12', resolvedAt: at('12T12:00') }, 'about 3.2 days'],
    [{ ...span, resolvedDate: '2026-03-09', resolvedAt: at('09T08:00') }, 'less than a day'],
    [{ ...span, resolvedDate: '2026-03-09T08:20:00.000Z', resolvedAt: at('09T08:20') }, '20 min'],
  ])('%o: %s', (effect, text) => {
    expect(effectLength(effect)).toBe(text);
  });

  it('has a cell for each column', () => {
    const effect = { ...span, name: 'Nausea', severity: 3, notes: null };
    expect(effectCells(effect, null, 'UTC', true)).toEqual([
      '2026-03-09 08:00',
      'Nausea',
      expect.stringMatching(/^3 of 5, /),
      'ongoing',
      '–',
      '–',
    ]);
  });
});

describe('report sections', () => {
  const site = {
    site: 'deltoid-left',
    takenAt: at('09T08:00'),
    name: null,
    dose: '0.25',
    doseUnit: 'mg' as const,
    pain: 0,
    notes: 'sore',
  };

  it('have as many cells as columns, with notes and without', () => {
    for (const notes of [true, false]) {
      expect(doseCells(DOSE, 'UTC', notes)).toHaveLength(doseColumns(notes).length);
      expect(siteCells(site, 'UTC', notes)).toHaveLength(siteColumns(notes).length);
      const effect = { startedAt: at('09T08:00'), resolvedDate: null, resolvedAt: null };
      const cells = effectCells({ ...effect, name: 'A', severity: 1, notes: null }, 'B', 'UTC', notes);
      expect(cells).toHaveLength(effectColumns(notes).length);
    }
    expect(vialCells(vial())).toHaveLength(VIAL_COLUMNS.length);
  });

  it('include notes only on request', () => {
    expect(doseCells(DOSE, 'UTC', true)).toContain('after lunch');
    expect(doseCells(DOSE, 'UTC', false)).not.toContain('after lunch');
    expect(siteCells(site, 'UTC', true)).toContain('sore');
    expect(siteCells(site, 'UTC', false)).not.toContain('sore');
  });

  it('show an injection without pain as 0 and a missing name as a dash', () => {
    expect(siteCells(site, 'UTC', false)).toEqual(['2026-03-09 08:00', 'Deltoid, left', '–', '0.25 mg', '0']);
  });

  it('show a vial with what is left and until when', () => {
    expect(vialCells(vial({ remaining: '4.5', lot: 'L-1' }))).toEqual([
      'BPC-157',
      'Reconstituted',
      expect.stringMatching(/ of 5 mg$/),
      '2.5 mg/ml',
      '40 units',
      '1 Mar 2026',
      expect.stringMatching(/2026$/),
      'L-1',
    ]);
    expect(
      vialCells(vial({ waterMl: null, reconstitutionDate: null, status: 'sealed' })).slice(3, 6),
    ).toEqual(['–', '–', '–']);
  });

  it('say if they do not list everything', () => {
    expect(cappedNote(1000, 1000)).toBeNull();
    expect(cappedNote(0, 0)).toBeNull();
    expect(cappedNote(1000, 1001)).toMatch(/^The latest 1000 of 1001 are listed\./);
  });
});

const START = new Date('2026-03-01T08:00Z');

function effect(name: string, severity: number, hours: number | null): ReportEffect {
  const end = hours === null ? null : new Date(START.getTime() + hours * 3_600_000);
  const resolvedDate = end === null ? null : end.toISOString();
  return { name, severity, startedAt: START, resolvedAt: end, resolvedDate, notes: null };
}

function rowsOf(effects: readonly ReportEffect[]): string[][] {
  const kinds = effectKinds();
  for (const one of effects) kinds.add(one);
  return kinds.rows();
}

describe('side effects by kind', () => {
  it('show how often, how severe, how many are ongoing, and the longest that has ended', () => {
    const effects = [
      effect('Nausea', 2, 6.5),
      effect('nausea', 4, null),
      effect('Nausea', 3, 72),
      effect('Headache', 1, null),
    ];
    const expected = [
      ['Nausea', '3', '2 to 4', '1', '3 days'],
      ['Headache', '1', '1', '1', '–'],
    ];
    expect(rowsOf(effects)).toEqual(expected);
    expect(rowsOf(effects.toReversed()).map((cells) => cells.slice(1))).toEqual(
      expected.map((cells) => cells.slice(1)),
    );
    expect(expected[0]).toHaveLength(KIND_COLUMNS.length);
  });

  it('are empty if each occurred once, because the list says the same', () => {
    expect(rowsOf([effect('Nausea', 2, 1), effect('Headache', 1, 1)])).toEqual([]);
    expect(rowsOf([])).toEqual([]);
  });

  it('count names beyond the limit together, without losing any', () => {
    const many = Array.from({ length: 500 }, (_, index) => effect(`Kind ${index}`, 1, null));
    const rows = rowsOf(many);
    expect(rows[0]).toEqual(['All others', '300', '1', '300', '–']);
    expect(rows.reduce((sum, [, times]) => sum + Number(times), 0)).toBe(500);
  });
});
