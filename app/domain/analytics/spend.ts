import { Decimal, ratio, type Ratio } from '#app/domain/decimal/decimal.ts';

/** The price paid for one vial. */
export interface Paid {
  /** Calendar day. */
  day: string;
  name: string;
  /** Decimal text. */
  cost: string;
  currency: string;
}

/** The total paid in one currency, by month and by compound. */
export interface SpendOf {
  currency: string;
  total: Ratio<'money'>;
  vials: number;
  /** `YYYY-MM` with its sum, in order, including months without a payment. */
  months: { month: string; total: Ratio<'money'> }[];
  names: { name: string; vials: number; total: Ratio<'money'> }[];
}

const money = (sum: Decimal): Ratio<'money'> => ratio<'money'>(sum);

function sums<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  costOf: (row: T) => string,
): Map<string, Decimal> {
  const totals = new Map<string, Decimal>();
  for (const row of rows) {
    const key = keyOf(row);
    totals.set(key, (totals.get(key) ?? new Decimal(0)).plus(costOf(row)));
  }
  return totals;
}

function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let year = Number(first.slice(0, 4)), month = Number(first.slice(5, 7)); ; month += 1) {
    if (month > 12) [year, month] = [year + 1, 1];
    const key = `${year}-${String(month).padStart(2, '0')}`;
    if (key > last.slice(0, 7)) return months;
    months.push(key);
  }
}

/** Adds up what was paid, exactly and separately for each currency. */
export function spendOf(paid: readonly Paid[], period: { first: string; last: string }): SpendOf[] {
  const currencies = [...new Set(paid.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const rows = paid.filter((row) => row.currency === currency);
    const byMonth = sums(
      rows,
      ({ day }) => day.slice(0, 7),
      ({ cost }) => cost,
    );
    const byName = sums(
      rows,
      ({ name }) => name,
      ({ cost }) => cost,
    );
    return {
      currency,
      total: money([...byMonth.values()].reduce((sum, part) => sum.plus(part), new Decimal(0))),
      vials: rows.length,
      months: monthsBetween(period.first, period.last).map((month) => ({
        month,
        total: money(byMonth.get(month) ?? new Decimal(0)),
      })),
      names: [...byName]
        .sort(([a, left], [b, right]) => right.cmp(left) || (a < b ? -1 : 1))
        .map(([name, total]) => ({
          name,
          vials: rows.filter((row) => row.name === name).length,
          total: money(total),
        })),
    };
  });
}
