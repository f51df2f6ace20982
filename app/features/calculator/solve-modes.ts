import type { SolveFor } from '#app/domain/calculator/calculation.ts';
import type { CalculatorValues } from './calculator-state.ts';

const NEEDED = {
  volume: ['peptideAmount', 'waterVolume', 'desiredDose'],
  water: ['peptideAmount', 'desiredDose', 'drawVolume'],
  dose: ['peptideAmount', 'waterVolume', 'drawVolume'],
} as const satisfies Record<SolveFor, readonly string[]>;

/** The chosen way of solving, by the form or by what was sent. */
export function wayOf(source: FormData | CalculatorValues): SolveFor {
  const way = source instanceof FormData ? source.get('solveFor') : source['solveFor'];
  return way === 'water' || way === 'dose' ? way : 'volume';
}

/** Of a blend the amount is that of its first row. */
const textOf = (source: FormData | CalculatorValues, name: string): string => {
  const read = (field: string) => (source instanceof FormData ? source.get(field) : source[field]);
  return String(read(name) ?? read(name.replace('peptide', 'component')) ?? '').trim();
};

/** True when every field that the chosen way of solving reads has something in it. */
export function isFilled(source: FormData | CalculatorValues): boolean {
  return NEEDED[wayOf(source)].every((name) => textOf(source, name) !== '');
}

/** True when none of the numbers is begun, whatever is being solved for, and the usual question is asked. */
export function isEmpty(source: FormData | CalculatorValues): boolean {
  const isUsual = wayOf(source) === 'volume';
  return isUsual && [...NEEDED.volume, 'drawVolume'].every((name) => textOf(source, name) === '');
}
