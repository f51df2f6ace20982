import { Decimal } from '#app/domain/decimal/decimal.ts';
import { inFirst, lossPerInjection } from './forecast.ts';
import type { FutureDose, Vial } from './vial.ts';

/** Doses to come, and the days on which they use up vials. */
interface VialEnds<D> {
  /** Without those of plans that end with a vial which is used up by then. */
  doses: D[];
  /** The calendar day (YYYY-MM-DD) of the dose that takes the last of a vial, by the vial's id. */
  lastDays: ReadonlyMap<string, string>;
}

/**
 * Lets doses to come use up the vials that their plans name, and the plans that end with one of them end. The last dose may
 * be more than the vial has left.
 * @param doses in the order of their days
 * @param deadSpaceMl ml that stay in syringe and needle after each injection, decimal text
 */
export function endWithVials<D extends FutureDose>(
  vials: readonly Vial[],
  doses: readonly D[],
  deadSpaceMl = '0',
): VialEnds<D> {
  const supplies = new Map(
    vials.map((vial) => {
      const lostMg = lossPerInjection([vial], deadSpaceMl)?.(vial) ?? new Decimal(0);
      return [vial.id, { vial, lostMg, left: new Decimal(vial.remaining) }];
    }),
  );
  const lastDays = new Map<string, string>();
  const going = doses.filter((dose) => {
    const supply = supplies.get(dose.compoundId ?? '');
    if (supply === undefined || dose.mg === null) return true;
    const { vial, lostMg, left } = supply;
    if (left.lte(0)) return dose.endsWithVial !== true;
    supply.left = left.minus(inFirst(dose, vial).mg ?? 0).minus(lostMg.times(dose.injections ?? 1));
    if (supply.left.lte(0)) lastDays.set(vial.id, dose.day);
    return true;
  });
  return { doses: going, lastDays };
}
