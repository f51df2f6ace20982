import { calculateFigures } from '#app/domain/calculator/figures.ts';
import type { SavedCalculation } from '#app/domain/calculator/saved-calculation.ts';
import { doubleText, plainText } from '#app/domain/decimal/decimal-text.ts';
import { massInMg } from '#app/domain/units/mass.ts';
import type { ExportCells } from './export-columns.ts';
import { certainText } from './display-text.ts';

/** Most numbers are entered without needless zeros; those need no reading. */
const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

const shortest = (entered: string): string => (PLAIN.test(entered) ? entered : plainText(entered));

/** The two shown texts, from the doubles where those are certain, else from the exact values. */
function shownTexts(saved: SavedCalculation): [concentration: string, volume: string] {
  const concentration = certainText(saved.concentration, 2);
  const volume = certainText(saved.injectionVolume, 3);
  if (concentration !== null && volume !== null) return [concentration, volume];
  const exact = calculateFigures(saved);
  return [exact.concentrationText, exact.injectionVolumeText];
}

/** What was entered, or worked out where it was sought: ml of water and mg of dose. */
function waterAndDose(saved: SavedCalculation): [water: string, dose: string] {
  const { waterVolume, desiredDose, desiredDoseUnit } = saved;
  const dose = desiredDose === undefined ? null : inMg(desiredDose, desiredDoseUnit);
  if (waterVolume !== undefined && dose !== null) return [shortest(waterVolume), dose];
  const exact = calculateFigures(saved);
  return [
    waterVolume === undefined ? doubleText(exact.waterVolume) : shortest(waterVolume),
    dose ?? doubleText(exact.desiredDose),
  ];
}

/** Up to so many digits a decimal and the double that is read from it say the same. */
const SURE_DIGITS = 15;

function inMg(entered: string, unit: SavedCalculation['desiredDoseUnit']): string {
  if (unit === 'mg') return shortest(entered);
  return entered.length <= SURE_DIGITS
    ? doubleText(Number(`${entered}e-3`))
    : massInMg(entered, unit).toFixed();
}

/** The row of a saved calculation. Amounts are mg and ml, numbers the shortest decimals, shown texts as on the page. */
export function calculationCells(saved: SavedCalculation): ExportCells {
  const [water, dose] = waterAndDose(saved);
  const [concentration, volume] = shownTexts(saved);
  return [
    saved.id,
    saved.createdAt.toISOString(),
    saved.type,
    saved.peptideName ?? null,
    shortest(saved.peptideAmount),
    water,
    dose,
    doubleText(saved.concentration),
    doubleText(saved.injectionVolume),
    concentration,
    volume,
    saved.notes ?? null,
  ];
}
