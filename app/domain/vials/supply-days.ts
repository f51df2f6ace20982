import { Decimal } from '#app/domain/decimal/decimal.ts';
import { beyondUseDay, beyondUseDayAfter } from './beyond-use.ts';
import { isOpen } from './vial-status.ts';
import type { FutureDose, Vial } from './vial.ts';

/** A vial on its way through the doses to come. */
interface Supply {
  vial: Vial;
  left: Decimal;
  isOpen: boolean;
  /** The last day of use; null without one. */
  lastDay: string | null;
}

const FOR_EVER = '9999-12-31';

/** Open vials before sealed ones, earliest date first, then the older one. */
function rank({ vial, isOpen, lastDay }: Supply): string {
  return `${isOpen ? 0 : 1} ${lastDay ?? FOR_EVER} ${vial.createdAt.toISOString()} ${vial.id}`;
}

function next(supplies: readonly Supply[], dose: FutureDose): Supply | undefined {
  const usable = supplies.filter(({ left, lastDay }) => left.gt(0) && (lastDay ?? FOR_EVER) >= dose.day);
  const own = usable.find(({ vial }) => vial.id === dose.compoundId);
  return (
    own ??
    usable.reduce<Supply | undefined>(
      (best, one) => (best && rank(best) <= rank(one) ? best : one),
      undefined,
    )
  );
}

/** A sealed vial that is drawn from was reconstituted that day, and from then on its days are counted. */
function open(supply: Supply, day: string): void {
  if (supply.isOpen) return;
  supply.isOpen = true;
  supply.lastDay = beyondUseDayAfter(day, supply.vial.expirationDate);
}

/** Vials of one compound from which doses are taken one after the other. */
export interface Shelf {
  /** Takes a dose of known amount; doses come in the order of their days. @returns whether all of it was there */
  take(dose: FutureDose): boolean;
}

/** Puts vials on a shelf; the vials themselves do not change. */
export function createShelf(vials: readonly Vial[]): Shelf {
  const supplies = vials.map((vial): Supply => {
    const lastDay = beyondUseDay(vial);
    return { vial, left: new Decimal(vial.remaining), isOpen: isOpen(vial), lastDay };
  });
  return {
    take(dose) {
      let rest = new Decimal(dose.mg ?? 0);
      while (rest.gt(0)) {
        const supply = next(supplies, dose);
        if (supply === undefined) return false;
        open(supply, dose.day);
        const taken = rest.lt(supply.left) ? rest : supply.left;
        supply.left = supply.left.minus(taken);
        rest = rest.minus(taken);
      }
      return true;
    },
  };
}
