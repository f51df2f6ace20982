import { Decimal } from '#app/domain/decimal/decimal.ts';
import { ratio } from '#app/domain/decimal/ratio.ts';
import { shortText } from '#app/domain/decimal/rounded-text.ts';
import type { DoseStatus } from './dose-status.ts';

/** How many doses of a period have each status. */
export type DoseTally = Readonly<Record<DoseStatus, number>>;

export const NO_DOSES: DoseTally = { pending: 0, taken: 0, missed: 0, skipped: 0 };

/** The formula, shown wherever the number is. */
export const ADHERENCE_FORMULA =
  'Adherence = taken ÷ (taken + missed). Skipped doses and doses not logged yet are left out of the formula and listed separately.';

/** Adherence with the counts shown beside it. */
export interface Adherence extends DoseTally {
  /** taken + missed */
  due: number;
  /** Between 0 and 1, the nearest double; null when nothing was due. */
  share: number | null;
  /** "91.7 %", at most one decimal, half-up; null when nothing was due. */
  text: string | null;
  /** "11 ÷ (11 + 1) = 91.7 %"; null when nothing was due. */
  numbers: string | null;
}

/** Adherence of a tally: taken ÷ (taken + missed); no figures when nothing was due. */
export function adherenceOf(tally: DoseTally): Adherence {
  const { taken, missed } = tally;
  const due = taken + missed;
  if (due === 0) return { ...tally, due, share: null, text: null, numbers: null };
  const text = `${shortText(ratio(new Decimal(taken * 100), new Decimal(due)), 1)} %`;
  return { ...tally, due, share: taken / due, text, numbers: `${taken} ÷ (${taken} + ${missed}) = ${text}` };
}

/** The sum of two tallies. */
export function addTallies(a: DoseTally, b: DoseTally): DoseTally {
  return {
    pending: a.pending + b.pending,
    taken: a.taken + b.taken,
    missed: a.missed + b.missed,
    skipped: a.skipped + b.skipped,
  };
}
