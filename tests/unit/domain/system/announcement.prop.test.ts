import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { announcementsFor, announcementState, AUDIENCES } from '#app/domain/system/announcement.ts';

const instant = fc.integer({ min: 0, max: 1000 }).map((ms) => new Date(ms));
const announcement = fc.record({
  id: fc.uuid(),
  title: fc.string(),
  text: fc.string(),
  audience: fc.constantFrom(...AUDIENCES),
  startsAt: instant,
  endsAt: fc.option(instant, { nil: null }),
  isDismissible: fc.boolean(),
  revision: fc.nat(),
});

describe('a reader’s announcements', () => {
  it('are the current ones for their plan that they have not dismissed, newest first', () => {
    fc.assert(
      fc.property(fc.array(announcement), fc.boolean(), instant, fc.nat(), (all, isPremium, now, every) => {
        const dismissed = new Set(all.filter((_, index) => index % (every + 1) === 0).map(({ id }) => id));
        const shown = announcementsFor(all, { isPremium, dismissed }, now);
        const ids = new Set(shown.map(({ id }) => id));
        for (const one of all) {
          const stands = one.startsAt <= now && (one.endsAt === null || now < one.endsAt);
          const meant = one.audience === 'all' || (one.audience === 'premium') === isPremium;
          const away = one.isDismissible && dismissed.has(one.id);
          expect(ids.has(one.id)).toBe(stands && meant && !away);
        }
        const starts = shown.map(({ startsAt }) => startsAt.getTime());
        expect(starts).toEqual(starts.toSorted((a, b) => b - a));
      }),
    );
  });

  it('end exactly at their end time', () => {
    const [startsAt, endsAt] = [new Date(10), new Date(20)];
    const at = (ms: number) => announcementState({ startsAt, endsAt }, new Date(ms));
    expect([9, 10, 19, 20].map(at)).toEqual(['upcoming', 'current', 'current', 'over']);
    expect(announcementState({ startsAt, endsAt: null }, new Date(9e12))).toBe('current');
  });
});
