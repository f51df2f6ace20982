import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isSite,
  SITE_IDS,
  siteName,
  SITES,
  type SiteId,
  recencyOf,
  sinceMark,
  sinceText,
  REST_DAYS,
  suggestSite,
  type SiteSuggestion,
  type SiteUse,
  suggestionText,
} from '#app/domain/tracking/sites.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-10T12:00:00Z');

/** Last uses at whole hours ago, few enough that ties are common. */
const uses = fc
  .dictionary(
    fc.constantFrom(...SITE_IDS),
    fc.integer({ min: 0, max: 20 * 24 }).map((h) => h - (h % 6)),
  )
  .map(
    (hours) =>
      new Map<SiteId, SiteUse>(
        Object.entries(hours).map(([site, ago]) => [
          site as SiteId,
          { lastUsedAt: new Date(NOW - ago * 3_600_000), days: Math.floor(ago / 24) },
        ]),
      ),
  );
const enabled = fc.subarray([...SITE_IDS], { minLength: 1 });

/**
 * The same decision in a naive way: every enabled site that has rested long enough is a candidate, and the one whose last
 * use is longest ago wins. A site never used comes first; list order breaks ties. Without candidates, all enabled sites are.
 */
function slowly(on: readonly SiteId[], last: ReadonlyMap<SiteId, SiteUse>): SiteSuggestion {
  const inOrder: SiteId[] = [];
  for (const site of SITE_IDS) if (on.includes(site)) inOrder.push(site);
  const rested = inOrder.filter((site) => !last.has(site) || (last.get(site)?.days ?? 0) >= REST_DAYS);
  const candidates = rested.length > 0 ? rested : inOrder;
  let best = candidates[0] as SiteId;
  for (const site of candidates) {
    const [a, b] = [last.get(site), last.get(best)];
    if (b === undefined) continue;
    if (a === undefined || a.lastUsedAt < b.lastUsedAt) best = site;
  }
  const use = last.get(best);
  if (use === undefined) return { site: best, why: 'unused', days: null };
  return { site: best, why: rested.length > 0 ? 'rested' : 'longest', days: use.days };
}

describe('the suggested next site', () => {
  it('is the one that the naive rule gives', () => {
    fc.assert(
      fc.property(enabled, uses, (on, last) => {
        expect(suggestSite(on, last)).toEqual(slowly(on, last));
      }),
    );
  });

  it('is an enabled site, and no other enabled one was used longer ago', () => {
    fc.assert(
      fc.property(enabled, uses, (on, last) => {
        const next = suggestSite(on, last);
        const at = (site: SiteId) => last.get(site)?.lastUsedAt.getTime() ?? -1;
        expect(on).toContain(next?.site);
        for (const site of on) expect(at(next?.site as SiteId)).toBeLessThanOrEqual(at(site));
      }),
    );
  });

  it('does not depend on the order in which the enabled sites are given', () => {
    fc.assert(
      fc.property(enabled, uses, (on, last) => {
        expect(suggestSite([...on].reverse(), last)).toEqual(suggestSite(on, last));
      }),
    );
  });

  it('goes through all sites before it repeats one', () => {
    const last = new Map<SiteId, SiteUse>();
    const taken: SiteId[] = [];
    for (let round = 0; round < 48; round += 1) {
      const next = suggestSite(SITE_IDS, last);
      if (next === null) throw new Error('nothing');
      taken.push(next.site);
      last.set(next.site, { lastUsedAt: new Date(NOW + round * DAY), days: 0 });
    }
    expect(taken).toEqual([...SITE_IDS, ...SITE_IDS, ...SITE_IDS]);
  });

  it('is null when no site is enabled', () => {
    expect(suggestSite([], new Map())).toBeNull();
  });

  it.each([
    [6, 'longest'],
    [7, 'rested'],
    [8, 'rested'],
    [0, 'longest'],
  ])('after %i days is %s', (days, why) => {
    const last = new Map<SiteId, SiteUse>([
      ['deltoid-left', { lastUsedAt: new Date(NOW - days * DAY), days }],
    ]);
    expect(suggestSite(['deltoid-left'], last)).toEqual({ site: 'deltoid-left', why, days });
  });
});

describe('the reason for a suggested site', () => {
  it.each([
    [{ site: 'deltoid-left', why: 'unused', days: null }, 'You have not used this site yet.'],
    [
      { site: 'deltoid-left', why: 'rested', days: 12 },
      'This site has rested longest: 12 days. Aim for at least 7.',
    ],
    [
      { site: 'deltoid-left', why: 'longest', days: 1 },
      'None of your sites has rested 7 days. This one has rested longest: 1 day.',
    ],
    [
      { site: 'deltoid-left', why: 'longest', days: 0 },
      'None of your sites has rested 7 days. All were used today; this one was used first.',
    ],
  ] satisfies [SiteSuggestion, string][])('of %o', (suggestion, reason) => {
    expect(suggestionText(suggestion)).toEqual({ title: 'Deltoid, left', reason });
  });
});

describe('the list of injection sites', () => {
  it('matches the reference data, in its order', () => {
    expect(SITES.map(({ id, name, view }) => `${id} = ${name} (${view})`)).toEqual([
      'abdomen-upper-left = Abdomen, upper left (front)',
      'abdomen-upper-right = Abdomen, upper right (front)',
      'abdomen-lower-left = Abdomen, lower left (front)',
      'abdomen-lower-right = Abdomen, lower right (front)',
      'thigh-front-left = Thigh, front left (front)',
      'thigh-front-right = Thigh, front right (front)',
      'thigh-outer-left = Thigh, outer left (front)',
      'thigh-outer-right = Thigh, outer right (front)',
      'upper-arm-back-left = Upper arm back, left (back)',
      'upper-arm-back-right = Upper arm back, right (back)',
      'deltoid-left = Deltoid, left (front)',
      'deltoid-right = Deltoid, right (front)',
      'ventrogluteal-left = Ventrogluteal, left (back)',
      'ventrogluteal-right = Ventrogluteal, right (back)',
      'gluteal-upper-outer-left = Gluteal, upper outer left (back)',
      'gluteal-upper-outer-right = Gluteal, upper outer right (back)',
    ]);
  });

  it('accepts its own ids and no others', () => {
    for (const id of SITE_IDS) expect(isSite(id)).toBe(true);
    for (const id of ['', 'abdomen', 'Deltoid-left', 'constructor', '__proto__'])
      expect(isSite(id)).toBe(false);
    expect(siteName('elbow')).toBe('elbow');
  });
});

describe('the colour of a site on the map', () => {
  it.each([
    [null, 'unused', 'never used', 'new'],
    [0, 'hot', 'today', 'today'],
    [1, 'hot', 'yesterday', '1 d'],
    [2, 'hot', '2 days ago', '2 d'],
    [3, 'warm', '3 days ago', '3 d'],
    [6, 'warm', '6 days ago', '6 d'],
    [7, 'cool', '7 days ago', '7 d'],
    [400, 'cool', '400 days ago', '99+ d'],
  ])('%s days', (days, recency, text, mark) => {
    expect([recencyOf(days), sinceText(days), sinceMark(days)]).toEqual([recency, text, mark]);
  });

  it('turns cool once the site has rested, and never gets warmer with time', () => {
    const order = ['hot', 'warm', 'cool'];
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), (a, b) => {
        const rank = (days: number) => order.indexOf(recencyOf(days));
        if (a <= b) expect(rank(a)).toBeLessThanOrEqual(rank(b));
        expect(recencyOf(a) === 'cool').toBe(a >= REST_DAYS);
      }),
    );
  });
});
