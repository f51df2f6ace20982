import fc from 'fast-check';
import { expect, it } from 'vitest';
import { envelopeOf } from '#app/domain/analytics/curve-envelope.ts';

const LENGTH = 10;
const points = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 200 }), a: fc.nat(100), b: fc.nat(100) }), {
    maxLength: 60,
  })
  .map((list) =>
    list
      .map(({ at, a, b }) => ({ at, low: Math.min(a, b), high: Math.max(a, b) }))
      .sort((one, other) => one.at - other.at),
  );

it('the envelope of a stretch is its lowest and highest level, each stretch once, in order', () => {
  fc.assert(
    fc.property(points, (list) => {
      const naive = Array.from({ length: 21 }, (_, place) => {
        const inside = list.filter(({ at }) => Math.floor(at / LENGTH) === place);
        const middle = (place + 0.5) * LENGTH;
        return inside.length === 0
          ? []
          : [
              {
                at: middle,
                low: Math.min(...inside.map(({ low }) => low)),
                high: Math.max(...inside.map(({ high }) => high)),
              },
            ];
      }).flat();
      expect(envelopeOf(list, 0, LENGTH)).toEqual(naive);
    }),
  );
});
