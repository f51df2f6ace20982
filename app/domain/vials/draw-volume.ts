import { drawForDose, type Draw } from '#app/domain/calculator/draw-for-dose.ts';
import { SYRINGES, type SyringeId } from '#app/domain/calculator/syringes.ts';
import { strengthOf } from './concentration.ts';
import type { Vial } from './vial.ts';

/**
 * What to draw from a vial for a dose: ml with 3 decimals, and units of a syringe's scale with at most 2.
 * @param doseMg decimal text, mg
 * @returns null when the vial's strength is not known
 */
export function drawOf(vial: Vial, doseMg: string, syringe: SyringeId = 'u100-1ml'): Draw | null {
  const strength = strengthOf(vial);
  if (strength === null) return null;
  const exactConcentration = { mg: String(strength.n), ml: String(strength.d) };
  return drawForDose({ exactConcentration, syringe: SYRINGES[syringe] }, doseMg);
}
