import {
  Decimal,
  fixedText,
  quotient,
  ratio,
  readableText,
  type Ratio,
} from '#app/domain/decimal/decimal.ts';
import { plainName } from '#app/domain/calculator/components.ts';

/** How many international units one mg of a substance has. */
interface CitedFactor {
  readonly name: string;
  /** Other names of the substance, as people type them. */
  readonly names: readonly string[];
  readonly iuPerMg: string;
  readonly source: string;
}

/**
 * The substances whose international units have a cited mass. All others are never converted: the unit of hCG or of the
 * menotropins is an activity, for which no mass is stated.
 */
export const CITED_FACTORS: readonly CitedFactor[] = [
  {
    name: 'Somatropin',
    names: ['somatropin', 'growth hormone', 'human growth hormone', 'HGH', 'rhGH'],
    iuPerMg: '3',
    source: 'WHO second international standard 98/574; European Pharmacopoeia, somatropin',
  },
];

/** The cited factor of a substance; null if there is none. @param name in any spelling */
export function citedFactor(name: string | undefined): CitedFactor | null {
  const key = plainName(name ?? '');
  return CITED_FACTORS.find(({ names }) => names.some((one) => plainName(one) === key)) ?? null;
}

/**
 * An amount in IU as mass, for reading only: nothing is calculated with it.
 * @returns "0.67 mg (3 IU = 1 mg; WHO …)"; null unless a factor is cited for the substance
 */
export function massOf(name: string | undefined, iu: Ratio<'mg'>): string | null {
  const factor = citedFactor(name);
  if (factor === null) return null;
  const mg = quotient<'mg'>(iu, ratio(new Decimal(factor.iuPerMg)));
  const text = mg.n * 10n < mg.d ? readableText(mg) : fixedText(mg, 2);
  return `${text} mg (${factor.iuPerMg} IU = 1 mg; ${factor.source})`;
}
