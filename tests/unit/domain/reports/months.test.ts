import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adherenceOf, NO_DOSES } from '#app/domain/doses/adherence.ts';
import {
  byMonth,
  monthAdherence,
  monthCounter,
  MOST_IN_ONE_PIECE,
} from '#app/domain/reports/report-months.ts';

interface Row {
  month: string;
  id: number;
}

const row = fc.record({ month: fc.constantFrom('2026-01', '2026-02', '2025-12', '2024-06'), id: fc.nat() });
const monthOf = ({ month }: Row) => month;

function counted(rows: readonly Row[]) {
  const counter = monthCounter('injection');
  for (const { month } of rows) counter.add(month);
  return counter.summaries();
}

describe('report rows by month', () => {
  it('are each listed once, latest month first, in their original order within a month', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 80 }), (rows) => {
        const parted = byMonth(rows, monthOf, counted(rows));
        const naive = ['2026-02', '2026-01', '2025-12', '2024-06'].flatMap((month) =>
          rows.filter((one) => one.month === month),
        );
        expect(parted.rows).toEqual(naive);
        const inMonths = parted.months.reduce((sum, { rows: some }) => sum + some, 0);
        expect(inMonths).toBe(rows.length > MOST_IN_ONE_PIECE ? rows.length : 0);
      }),
    );
  });

  it('are listed in one piece if there are few', () => {
    const rows = Array.from({ length: MOST_IN_ONE_PIECE }, (_, id) => ({ month: '2026-01', id }));
    expect(byMonth(rows, monthOf, counted(rows)).months).toEqual([]);
    const more = [...rows, { month: '2025-12', id: 99 }];
    expect(byMonth(more, monthOf, counted(more)).months).toEqual([
      { title: 'January 2026', about: '20 injections', rows: 20 },
      { title: 'December 2025', about: '1 injection', rows: 1 },
    ]);
  });

  it('state the total of a month even if not all its rows are listed', () => {
    const all = Array.from({ length: 90 }, (_, id) => ({ month: `2026-0${3 - Math.floor(id / 30)}`, id }));
    expect(byMonth(all.slice(0, 40), monthOf, counted(all)).months).toEqual([
      { title: 'March 2026', about: '30 injections', rows: 30 },
      { title: 'February 2026', about: '30 injections; 10 of them listed', rows: 10 },
      { title: 'January 2026', about: '30 injections', rows: 0 },
    ]);
  });
});

describe('the summary of a month’s doses', () => {
  it.each([
    [{ taken: 29, missed: 2, skipped: 1, pending: 0 }, 0, '29 taken, 2 missed, 1 skipped: 93.5%'],
    [{ taken: 0, missed: 0, skipped: 1, pending: 3 }, 0, '0 taken, 0 missed, 1 skipped, 3 not logged yet'],
    [
      { taken: 1, missed: 1, skipped: 0, pending: 0 },
      4,
      '1 taken, 1 missed, 0 skipped: 50%; 4 without a plan',
    ],
    [NO_DOSES, 2, '2 without a plan'],
  ])('%o and %d without a plan, in words', (tally, unplanned, about) => {
    const total = tally.taken + tally.missed + tally.skipped + tally.pending + unplanned;
    expect(monthAdherence({ key: '2026-03', unplanned, ...adherenceOf(tally) })).toEqual({ about, total });
  });

  it('must exist for every row: a row in a month without one is an error', () => {
    expect(() => byMonth(['2026-03'], (month) => month, new Map())).toThrow('no summary of 2026-03');
  });
});
