import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  creditSpans,
  creditUntil,
  endCredit,
  grantCredit,
  REFERRAL_CREDIT_DAYS,
  reverseCredit,
  type CreditGrant,
} from '#app/domain/referrals/referral.ts';

const DAY = 86_400_000;
const day = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * DAY);
const NONE: CreditGrant[] = [];

describe('thirty days of referral credit', () => {
  it('begin now, or when existing credit runs out', () => {
    const one = grantCredit(NONE, { id: 'a', grantedAt: day(0) });
    expect(creditUntil(one)).toEqual(day(30));
    expect(creditUntil(grantCredit(one, { id: 'b', grantedAt: day(10) }))).toEqual(day(60));
    expect(creditUntil(grantCredit(one, { id: 'b', grantedAt: day(40) }))).toEqual(day(70));
    expect(creditUntil(NONE)).toBeNull();
  });

  it('are given once for one referral', () => {
    const one = grantCredit(NONE, { id: 'a', grantedAt: day(0) });
    expect(grantCredit(one, { id: 'a', grantedAt: day(9) })).toEqual(one);
  });

  it('lose their remaining days when taken back, and later grants move up', () => {
    const two = grantCredit(grantCredit(NONE, { id: 'a', grantedAt: day(0) }), {
      id: 'b',
      grantedAt: day(5),
    });
    expect(creditUntil(reverseCredit(two, 'a', day(10)))).toEqual(day(40));
    expect(creditUntil(reverseCredit(two, 'b', day(10)))).toEqual(day(30));
    expect(creditUntil(reverseCredit(two, 'b', day(45)))).toEqual(day(45));
  });

  it('keep used days, and do not affect later grants', () => {
    const two = grantCredit(grantCredit(NONE, { id: 'a', grantedAt: day(0) }), {
      id: 'b',
      grantedAt: day(60),
    });
    expect(creditUntil(reverseCredit(two, 'a', day(65)))).toEqual(day(90));
  });

  it('end at once when an admin ends them', () => {
    const two = grantCredit(grantCredit(NONE, { id: 'a', grantedAt: day(0) }), {
      id: 'b',
      grantedAt: day(5),
    });
    expect(creditUntil(endCredit(two, day(12)))).toEqual(day(12));
  });
});

const grant = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  grantedAt: fc.integer({ min: 0, max: 100 }).map(day),
});
const grants = fc.array(grant, { maxLength: 8 }).map((list) => list.reduce(grantCredit, NONE));
const when = fc.integer({ min: 0, max: 300 }).map(day);

describe('laws of credit', () => {
  it('law: the total is exactly the days given', () => {
    fc.assert(
      fc.property(grants, (list) => {
        const total = creditSpans(list).reduce(
          (sum, { from, until }) => sum + (until.getTime() - from.getTime()),
          0,
        );
        expect(total).toBe(list.length * REFERRAL_CREDIT_DAYS * DAY);
      }),
    );
  });

  it('law: spans follow one another, none before its grant', () => {
    fc.assert(
      fc.property(grants, when, (list, at) => {
        const taken = list[0] ? reverseCredit(list, list[0].id, at) : list;
        creditSpans(taken).forEach((span, index, spans) => {
          const before = spans[index - 1];
          expect(span.until >= span.from).toBe(true);
          if (before) expect(span.from >= before.until).toBe(true);
          expect(span.from >= (taken.find(({ id }) => id === span.id)?.grantedAt ?? span.from)).toBe(true);
        });
      }),
    );
  });

  it('law: taking a grant back removes exactly its unused days, and doing it twice changes nothing', () => {
    fc.assert(
      fc.property(grants, when, when, (list, at, again) => {
        const [first] = list;
        if (!first) return;
        const once = reverseCredit(list, first.id, at);
        expect(reverseCredit(once, first.id, again)).toEqual(once);
        const end = creditUntil(list)?.getTime() ?? 0;
        const shorter = creditUntil(once)?.getTime() ?? 0;
        expect(shorter).toBeLessThanOrEqual(end);
        expect(end - shorter).toBeLessThanOrEqual(REFERRAL_CREDIT_DAYS * DAY);
      }),
    );
  });

  it('law: the order in which grants are stored does not matter', () => {
    fc.assert(
      fc.property(grants, (list) => {
        expect(creditUntil([...list].reverse())).toEqual(creditUntil(list));
      }),
    );
  });
});
