import { calculateFigures } from '#app/domain/calculator/figures.ts';
import type { CalculationInput } from '#app/domain/calculator/types.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { isIdOf, readInstant } from './row-values.ts';
import type { ImportCells, ReadRow } from './import-types.ts';

/** Doubles that differ by less come from the same numbers, written down and read again. */
const SAME = 1e-9;

const near = (a: number, b: number): boolean => Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b));

/**
 * The powder displacement in µl/mg that an export does not name but its concentration tells:
 * concentration = amount ÷ (water + amount × displacement ÷ 1000), solved for the displacement (the calculator's own
 * formula, decisions section 4).
 */
function displacementOf(amount: string, water: string, concentration: string): string {
  const solution = new Decimal(amount).div(concentration);
  const perMg = solution.minus(water).times(1000).div(amount);
  // A displacement is measured to hundredths; the digits behind come from the rounding of the double.
  const rounded = perMg.round(6);
  return rounded.lte(0) ? '0' : rounded.toFixed();
}

/** The row as somebody who asks for the volume to draw: the one way of asking of which a row has all numbers. */
function fieldsOf(cells: ImportCells, more: Record<string, string> = {}): Record<string, string> {
  const { peptideAmount = '', waterVolume = '', desiredDose = '', peptideName = '', notes = '' } = cells;
  const numbers = { solveFor: 'volume', peptideAmount, waterVolume, desiredDose, desiredDoseUnit: 'mg' };
  return { ...numbers, peptideName, notes, ...more };
}

interface Told {
  concentration: number | null;
  injectionVolume: number | null;
}

function told({ concentration, injectionVolume }: ImportCells): Told {
  const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text));
  return { concentration: numberOf(concentration), injectionVolume: numberOf(injectionVolume) };
}

function saysTheSame(input: CalculationInput, { concentration, injectionVolume }: Told): boolean {
  const figures = calculateFigures(input);
  return (
    (concentration === null || near(figures.concentration, concentration)) &&
    (injectionVolume === null || near(figures.injectionVolume, injectionVolume))
  );
}

function withDisplacement(cells: ImportCells): Record<string, string> {
  const { peptideAmount, waterVolume, concentration } = cells;
  const known = [peptideAmount, waterVolume, concentration].every(
    (text) => text !== undefined && /^\d+(\.\d+)?$/.test(text) && Number(text) > 0,
  );
  if (!known) return {};
  return { displacement: displacementOf(peptideAmount ?? '', waterVolume ?? '', concentration ?? '') };
}

/** The inputs behind a row's figures, with powder displacement where they need one; null when nothing leads to them. */
function inputOf(cells: ImportCells, plain: CalculationInput): CalculationInput | null {
  const figures = told(cells);
  if (saysTheSame(plain, figures)) return plain;
  const displaced = parseCalculationForm(fieldsOf(cells, withDisplacement(cells)));
  return displaced.ok && saysTheSame(displaced.input, figures) ? displaced.input : null;
}

/**
 * A calculation from a row of an export. An export has the figures and not how they were asked for: the calculation is
 * one that asks for the volume, with the displacement that its concentration tells and the usual syringe. The two
 * doubles are kept as the row has them.
 */
export function readCalculation(cells: ImportCells): ReadRow {
  const { id } = cells;
  const createdAt = readInstant(cells['createdAt']);
  if (!isIdOf('calc_', id)) return { reason: 'id: This is no id of a calculation' };
  if (createdAt === null) return { reason: 'createdAt: This is no date and time' };
  if ((cells['type'] ?? 'reconstitution') !== 'reconstitution')
    return { reason: 'type: Only reconstitutions are known' };
  const parsed = parseCalculationForm(fieldsOf(cells));
  if (!parsed.ok) {
    const reasons = Object.entries(parsed.fields).map(([field, [message = '']]) => `${field}: ${message}`);
    return { reason: reasons.join('; ') };
  }
  const input = inputOf(cells, parsed.input);
  if (input === null)
    return { reason: 'concentration: It does not follow from the amount, the water and the dose' };
  const { concentration, injectionVolume } = told(cells);
  const figures = calculateFigures(input);
  return {
    record: {
      type: 'calculations',
      id,
      createdAt,
      input,
      concentration: concentration ?? figures.concentration,
      injectionVolume: injectionVolume ?? figures.injectionVolume,
    },
  };
}
