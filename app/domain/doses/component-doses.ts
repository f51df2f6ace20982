import { Decimal, nearestDouble, product, readableText, type Ratio } from '#app/domain/decimal/decimal.ts';
import { blendName } from '#app/domain/calculator/components.ts';
import { amountOf, componentDoses, type Blend, type ComponentDose } from '#app/domain/vials/contents.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { doseText, massInMg, figureText } from '#app/domain/units/quantity.ts';

const MCG_PER_MG: Ratio<'mcg/mg'> = { n: 1000n, d: 1n };

/** "250 mcg": a part of a dose in the unit that the dose is written in, at most 3 decimals but never fewer than 3 digits. */
export function partText({ mg }: Pick<ComponentDose, 'mg'>, unit: 'mg' | 'mcg'): string {
  return `${figureText(readableText(unit === 'mcg' ? product(mg, MCG_PER_MG) : mg))} ${unit}`;
}

/** The same for machines: the nearest double. */
export const partAmount = ({ mg }: Pick<ComponentDose, 'mg'>, unit: 'mg' | 'mcg'): number =>
  nearestDouble(unit === 'mcg' ? product(mg, MCG_PER_MG) : mg);

/** "TB-500 250 mcg" for each component but the one that the dose is of; nothing for a single peptide. */
export function otherDoseTexts(parts: readonly ComponentDose[], unit: 'mg' | 'mcg'): string[] {
  return parts.filter(({ isDosed }) => !isDosed).map((part) => `${part.name} ${partText(part, unit)}`);
}

/** A dose as far as it says what was, or is to be, taken of each component. */
export interface BlendedDose {
  readonly name: string;
  /** Decimal text in `doseUnit`. */
  readonly doseAmount: string;
  readonly actualDose?: string | null | undefined;
  readonly doseUnit: 'mg' | 'mcg';
  /** What its plan says that the vial holds; absent for a single peptide. */
  readonly blend?: Blend | null | undefined;
  /** What the vial held that it was drawn from; absent until it is taken, and for a single peptide. */
  readonly drawn?: Blend | null | undefined;
}

/** What a dose is a blend of: what it was drawn from, else what its plan says; null for a single peptide. */
export const blendOfDose = ({ blend, drawn }: Pick<BlendedDose, 'blend' | 'drawn'>): Blend | null =>
  drawn ?? blend ?? null;

/** What a dose gives of each component, as taken or else as planned. */
export function partsOfDose(dose: BlendedDose): readonly ComponentDose[] {
  const { name, actualDose, doseAmount, doseUnit } = dose;
  const mg = massInMg(new Decimal(actualDose ?? doseAmount).toFixed(), doseUnit);
  return componentDoses(name, mg, blendOfDose(dose));
}

/**
 * An amount of a dose in words: "250 mcg"; of a blend each component in the order of the label, "BPC-157 250 mcg + TB-500 500
 * mcg". The component that the dose is of stands exactly as it is stated, the others as their amounts relate to it.
 * @param amount decimal text in `unit`
 * @param blend what it is drawn from; null for a single peptide
 */
export function doseWords(amount: string, unit: 'mg' | 'mcg', blend: Blend | null | undefined): string {
  if (blend === null || blend === undefined) return doseText(amount, unit);
  return componentDoses('', massInMg(amount, unit), blend)
    .map((part) => `${part.name} ${part.isDosed ? doseText(amount, unit) : partText(part, unit)}`)
    .join(' + ');
}

/** What a dose gives as taken, or else as planned, in words; see {@link doseWords}. */
export const givenWords = (dose: Omit<BlendedDose, 'name'>): string =>
  doseWords(dose.actualDose ?? dose.doseAmount, dose.doseUnit, blendOfDose(dose));

/** What the plan of a dose asks for, in words. A dose without a known plan is told by what it was drawn from. */
export const plannedWords = ({ doseAmount, doseUnit, blend, drawn }: Omit<BlendedDose, 'name'>): string =>
  doseWords(doseAmount, doseUnit, blend ?? drawn);

/**
 * A name before the words of its dose, for a sentence: "BPC-157, 250 mcg". A blend that is called by its components is not
 * named twice.
 */
export function namedDose(name: string, words: string, blend: Blend | null | undefined): string {
  const isNamed = blend && vialNameKey(name) === vialNameKey(blendName(blend.components));
  return isNamed ? words : `${name}, ${words}`;
}

/**
 * How much a dose gave of what a key names, as decimal text in the dose's unit: of a component of a blend its part, else the dose
 * itself, which is what it is stated in.
 */
export function amountUnder(dose: BlendedDose, nameKey: string): string {
  const { name, actualDose, doseAmount, doseUnit } = dose;
  const whole = actualDose ?? doseAmount;
  const blend = blendOfDose(dose);
  if (blend === null || vialNameKey(name) === nameKey) return whole;
  const part = partsOfDose(dose).find((one) => vialNameKey(one.name) === nameKey);
  if (part === undefined || part.isDosed) return whole;
  return amountOf(doseUnit === 'mcg' ? product(part.mg, MCG_PER_MG) : part.mg);
}

/** Whether a dose is, or holds, what a key names. */
export const isUnder = (dose: Pick<BlendedDose, 'name' | 'blend' | 'drawn'>, nameKey: string): boolean =>
  [dose.name, ...(blendOfDose(dose)?.components ?? []).map((one) => one.name)].some(
    (name) => vialNameKey(name) === nameKey,
  );

/** The key that all taken blends have in place of one name; no name has it, since keys are in small letters. */
export const BLEND_KEY = 'BLEND';

/** What a taken dose is found under: its name; a blend under its own name and those of its components. */
export function nameKeysOf(
  name: string,
  blend: Blend | null,
): { nameKey: string; nameKeys?: readonly string[] } {
  const keys = [...new Set([name, ...(blend?.components ?? []).map((one) => one.name)].map(vialNameKey))];
  return keys.length === 1 ? { nameKey: keys[0] ?? '' } : { nameKey: BLEND_KEY, nameKeys: keys };
}
