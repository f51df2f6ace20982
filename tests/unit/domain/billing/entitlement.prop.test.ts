import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import {
  entitlementOf,
  graceEndsAt,
  graceStart,
  type EntitlementSources,
  type EntitlementTerms,
  trialEnd,
} from '#app/domain/billing/plans.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const days = (count: number) => new Date(NOW.getTime() + count * DAY_MS);

/** On a server that sells plans. */
const at = (now: Date): EntitlementTerms => ({ now: () => now, isSelling: true });

const NONE: EntitlementSources = {
  billingStatus: 'none',
  pastDueSince: null,
  trialEndsAt: null,
  creditUntil: null,
  grantedAt: null,
  suspendedAt: null,
};
const of = (more: Partial<EntitlementSources>) => entitlementOf({ ...NONE, ...more }, at(NOW));

describe('entitlement', () => {
  it.each([
    [{}, 'free', 'active', null],
    [{ billingStatus: 'active' }, 'premium', 'active', 'subscription'],
    [{ billingStatus: 'canceled' }, 'free', 'canceled', null],
    [{ trialEndsAt: days(3) }, 'premium', 'trial', 'trial'],
    [{ trialEndsAt: NOW }, 'free', 'active', null],
    [{ trialEndsAt: days(-1) }, 'free', 'active', null],
    [{ creditUntil: days(1) }, 'premium', 'active', 'credit'],
    [{ creditUntil: NOW }, 'free', 'active', null],
    [{ grantedAt: days(-900) }, 'premium', 'active', 'grant'],
    [{ billingStatus: 'past_due', pastDueSince: days(-6.99) }, 'premium', 'past_due', 'subscription'],
    [{ billingStatus: 'past_due', pastDueSince: days(-7) }, 'free', 'past_due', null],
    [{ billingStatus: 'past_due', pastDueSince: null }, 'free', 'past_due', null],
    [{ billingStatus: 'canceled', creditUntil: days(1) }, 'premium', 'canceled', 'credit'],
    [{ billingStatus: 'active', trialEndsAt: days(3) }, 'premium', 'active', 'subscription'],
    [{ billingStatus: 'active', grantedAt: NOW, suspendedAt: NOW }, 'free', 'active', null],
  ] as const)('of %j is %s, %s', (more, subscription, status, source) => {
    expect(of(more as Partial<EntitlementSources>)).toMatchObject({
      subscription,
      status,
      source,
      isPremium: subscription === 'premium',
    });
  });

  it('counts the days left in a trial, including the last one', () => {
    expect(of({ trialEndsAt: trialEnd(NOW) }).trialDaysLeft).toBe(14);
    expect(of({ trialEndsAt: days(13.5) }).trialDaysLeft).toBe(14);
    expect(of({ trialEndsAt: new Date(NOW.getTime() + 1) }).trialDaysLeft).toBe(1);
    expect(of({ trialEndsAt: days(3), billingStatus: 'active' }).trialDaysLeft).toBeNull();
    expect(of({}).trialDaysLeft).toBeNull();
  });
});

const instant = fc.option(fc.integer({ min: -20, max: 20 }).map(days), { nil: null });
const sources = fc.record<EntitlementSources>({
  billingStatus: fc.constantFrom('none', 'active', 'past_due', 'canceled'),
  pastDueSince: instant,
  trialEndsAt: instant,
  creditUntil: instant,
  grantedAt: instant,
  suspendedAt: fc.constant(null),
});

describe('laws of entitlement', () => {
  it('an account is premium exactly when it has a source, and any one source is enough', () => {
    fc.assert(
      fc.property(sources, (all) => {
        const parts: Partial<EntitlementSources>[] = [
          { billingStatus: all.billingStatus, pastDueSince: all.pastDueSince },
          { trialEndsAt: all.trialEndsAt },
          { creditUntil: all.creditUntil },
          { grantedAt: all.grantedAt },
        ];
        const { isPremium, source } = entitlementOf(all, at(NOW));
        expect(isPremium).toBe(parts.some((part) => of(part).isPremium));
        expect(isPremium).toBe(source !== null);
      }),
    );
  });

  it('time passing never makes an account premium', () => {
    fc.assert(
      fc.property(sources, fc.nat({ max: 40 }), (all, later) => {
        if (entitlementOf(all, at(days(later))).isPremium)
          expect(entitlementOf(all, at(NOW)).isPremium).toBe(true);
      }),
    );
  });

  it('a suspended account is never premium', () => {
    fc.assert(
      fc.property(sources, (all) => {
        expect(entitlementOf({ ...all, suspendedAt: NOW }, at(NOW)).isPremium).toBe(false);
      }),
    );
  });

  it('an account of a server that sells nothing has everything, whatever it had before, unless it is suspended', () => {
    fc.assert(
      fc.property(sources, (all) => {
        const terms = { now: () => NOW, isSelling: false };
        expect(entitlementOf(all, terms)).toEqual({
          isPremium: true,
          subscription: 'premium',
          status: 'active',
          source: 'server',
          trialDaysLeft: null,
        });
        expect(entitlementOf({ ...all, suspendedAt: NOW }, terms).isPremium).toBe(false);
      }),
    );
  });

  it('graceStart and graceEndsAt agree', () => {
    expect(graceEndsAt(graceStart(NOW))).toEqual(NOW);
  });
});
