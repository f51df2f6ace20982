import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dosesToMake, type KeptDose, occurrences } from '#app/domain/schedules/occurrences.ts';
import { anyRule, rule } from '#tests/support/schedules.ts';

const WINDOW = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-04T00:00:00Z') };
const expected = (...times: string[]) => occurrences(rule({ times }), WINDOW);
const names = (made: readonly { localDay: string; wallTime: string }[]) =>
  made.map(({ localDay, wallTime }) => `${localDay.slice(8)} ${wallTime}`);

describe('doses to generate', () => {
  it('are all occurrences when no doses exist', () => {
    expect(names(dosesToMake(expected('08:00', '20:00'), [], 2))).toEqual([
      '02 08:00',
      '02 20:00',
      '03 08:00',
      '03 20:00',
    ]);
  });

  it('exclude a day whose dose was taken at another time', () => {
    const kept = [{ localDay: '2026-03-02', wallTime: '08:00' }];
    expect(names(dosesToMake(expected('21:00'), kept, 1))).toEqual(['03 21:00']);
  });

  it('are the later times of a day that already has some doses', () => {
    const kept = [{ localDay: '2026-03-02', wallTime: '08:00' }];
    expect(names(dosesToMake(expected('09:00', '15:00', '21:00'), kept, 3))).toEqual([
      '02 15:00',
      '02 21:00',
      '03 09:00',
      '03 15:00',
      '03 21:00',
    ]);
  });

  it('never include existing ones, and never exceed the times of a day', () => {
    const pick = fc.array(fc.nat(), { maxLength: 20 });
    fc.assert(
      fc.property(anyRule, pick, pick, (any, own, others) => {
        const from = new Date(Date.parse(any.startDate) - 86_400_000);
        const all = occurrences(any, { from, to: new Date(from.getTime() + 40 * 86_400_000) });
        const kept = [
          ...own.flatMap((index) => all[index % Math.max(1, all.length)] ?? []),
          ...others.map((day) => ({ localDay: any.startDate, wallTime: `0${day % 10}:07` })),
        ];
        const made = dosesToMake(all, kept, any.times.length);
        const full = ({ localDay, wallTime }: KeptDose) => `${localDay} ${wallTime}`;
        const there = new Set(kept.map(full));
        for (const dose of made) expect(there.has(full(dose))).toBe(false);
        for (const { localDay } of made) {
          const onDay = new Set([...kept, ...made].filter((dose) => dose.localDay === localDay).map(full));
          expect(onDay.size).toBeLessThanOrEqual(any.times.length);
        }
        expect(dosesToMake(all, [...kept, ...made], any.times.length)).toEqual([]);
      }),
    );
  });
});
