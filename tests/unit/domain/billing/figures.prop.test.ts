import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastMonths, startOfMonth, subscriptionRates } from '#app/domain/billing/revenue-figures.ts';

const counts = fc.record({
  created: fc.nat(1000),
  canceled: fc.nat(1000),
  paid: fc.nat(1000),
  failed: fc.nat(1000),
});
const none = { created: 0, canceled: 0, paid: 0, failed: 0 };

describe('subscription rates', () => {
  it('are from 0 to 1, or null when there is nothing to divide by', () => {
    fc.assert(
      fc.property(counts, counts, (before, during) => {
        const { churn, paymentSuccess, atStart } = subscriptionRates(before, during);
        for (const rate of [churn, paymentSuccess])
          if (rate !== null) expect(rate >= 0 && rate <= 1).toBe(true);
        expect(churn === null).toBe(atStart === 0);
        expect(paymentSuccess === null).toBe(during.paid + during.failed === 0);
      }),
    );
  });

  it('divide cancellations by subscriptions at the start, and payments by attempts', () => {
    const before = { ...none, created: 12, canceled: 2 };
    const during = { created: 5, canceled: 1, paid: 18, failed: 2 };
    expect(subscriptionRates(before, during)).toEqual({ atStart: 10, churn: 0.1, paymentSuccess: 0.9 });
    expect(subscriptionRates(none, none)).toEqual({ atStart: 0, churn: null, paymentSuccess: null });
  });
});

describe('the last months', () => {
  it('follow each other without a gap, across a new year and from any day', () => {
    expect(lastMonths(new Date('2026-01-31T23:59:59Z'), 3)).toEqual(['2025-11', '2025-12', '2026-01']);
    expect(lastMonths(new Date('2024-03-31T00:00:00Z'), 2)).toEqual(['2024-02', '2024-03']);
    expect(startOfMonth('2024-02')).toEqual(new Date('2024-02-01T00:00:00.000Z'));
  });
});
