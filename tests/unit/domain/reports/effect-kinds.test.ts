import { describe, expect, it } from 'vitest';
import { effectKinds, KIND_COLUMNS } from '#app/domain/reports/effect-kinds.ts';
import type { ReportEffect } from '#app/domain/reports/report-row-groups.ts';

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
  it('say how often, how bad, how many last, and the longest of those that are over', () => {
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

  it('are none when each was there once: the list says the same', () => {
    expect(rowsOf([effect('Nausea', 2, 1), effect('Headache', 1, 1)])).toEqual([]);
    expect(rowsOf([])).toEqual([]);
  });

  it('of more names than fit are counted together, none is lost', () => {
    const many = Array.from({ length: 500 }, (_, index) => effect(`Kind ${index}`, 1, null));
    const rows = rowsOf(many);
    expect(rows[0]).toEqual(['All others', '300', '1', '300', '–']);
    expect(rows.reduce((sum, [, times]) => sum + Number(times), 0)).toBe(500);
  });
});
