import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compoundView, vialOfView } from '#app/domain/vials/compound-view.ts';
import { takeFrom } from '#app/domain/vials/stock.ts';
import { vialRow } from '#app/domain/vials/vial-texts.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import { vial } from '#tests/support/vials.ts';

const TODAY = '2026-03-10';
const at = new Date('2026-03-09T22:30:00Z');

const amount = fc.integer({ min: 1, max: 20_000 }).map((micrograms) => String(micrograms / 1000));
const single = amount.map((totalAmount) => vial({ totalAmount }));
const blend = fc.tuple(amount, amount, amount).map((amounts) =>
  vial({
    name: 'BPC-157 + TB-500 + KPV',
    totalAmount: amounts[0],
    components: amounts.map((of, index) => ({
      ...{ name: ['BPC-157', 'TB-500', 'KPV'][index] ?? '', amount: of },
      ...{ changedMg: '0', foldedMg: '0' },
    })),
  }),
);

/** A vial from which doses were drawn, sometimes more than it held. */
const drawn = fc
  .tuple(fc.oneof(single, blend), fc.array(fc.tuple(amount, fc.nat(2)), { maxLength: 4 }))
  .map(([whole, doses]) =>
    doses.reduce<VialWithLedger>((held, [mg, place], index) => {
      const component = place % (held.components?.length ?? 1);
      return takeFrom(held, { id: `dose_${index}`, mg, component, at });
    }, whole),
  );

it('a vial read back from its view, also as JSON, is shown as before', () => {
  fc.assert(
    fc.property(drawn, (held) => {
      const view = compoundView(held, TODAY);
      const read = vialOfView(JSON.parse(JSON.stringify(view)) as typeof view);
      expect(vialRow(read, TODAY)).toEqual(vialRow(held, TODAY));
      expect(read.createdAt).toEqual(held.createdAt);
    }),
  );
});
