import { findComponent, blendName } from '#app/domain/calculator/components.ts';
import type {
  Component,
  DoseUnit,
  SubstanceUnit,
  SyringeChoice,
} from '#app/domain/calculator/calculation.ts';
import {
  compare,
  Decimal,
  plainText,
  product,
  quotient,
  ratio,
  shortText,
  sum,
  type Ratio,
  fixedText,
  readableText,
  nearestDouble,
} from '#app/domain/decimal/decimal.ts';
import { formOf, isReadyMade, vialNameKey, type Vial, type VialComponent } from './vial.ts';
import { scaleOf, type Container } from '#app/domain/calculator/nearest-mark.ts';
import { drawForDose, type Draw } from '#app/domain/calculator/calculate.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { doseText, toBaseUnit } from '#app/domain/units/quantity.ts';

/** A blend to draw from: its components, and the one that the dose counts. */
export interface Blend {
  /** Name of one of the components. */
  readonly doseOf: string;
  /** In the order of the label. Amounts are mg per vial, which also give the proportions of a dose. */
  readonly components: readonly Component[];
}

type Held = Pick<Vial, 'name' | 'totalAmount' | 'remaining' | 'components'>;

/**
 * A vial's components in the order of its label. A single peptide is returned as one component with the vial's name. The
 * vial's total and balance are those of the first component.
 */
export function contentsOf(vial: Held): readonly VialComponent[] {
  if (vial.components !== undefined) return vial.components;
  const { name, totalAmount: amount, remaining } = vial;
  return [{ name, amount, changedMg: new Decimal(remaining).minus(amount).toFixed(), foldedMg: '0' }];
}

const WHOLE: Ratio<'share'> = { n: 1n, d: 1n };

/** A share of a vial too small to be real: what rounding to 18 decimals leaves of a blend. */
const NOTHING: Ratio<'share'> = /* @__PURE__ */ ratio(/* @__PURE__ */ new Decimal('0.000000000000001'));

const isNothing = ({ n, d }: Ratio<'share'>): boolean => compare({ n: n < 0n ? -n : n, d }, NOTHING) < 0;

/**
 * The exact share of the solution that is left in a vial. A draw stated in one component takes the same share of all of them.
 * Negative if the vial is over-drawn.
 */
function leftShare(contents: readonly VialComponent[]): Ratio<'share'> {
  return contents.reduce(
    (left, { amount, changedMg }) => sum(left, ratio(new Decimal(changedMg), new Decimal(amount))),
    WHOLE,
  );
}

/** The exact amount left of one component; negative if the vial is over-drawn. @param at the component's index */
export function leftOf(vial: Held, at = 0): Ratio<'mg'> {
  const contents = contentsOf(vial);
  const share = leftShare(contents);
  if (contents.length > 1 && isNothing(share)) return { n: 0n, d: 1n };
  return product(share, ratio(new Decimal(contents[at]?.amount ?? 0)));
}

/** Decimals kept of a non-terminating amount in mg, such as a third. */
const ENDLESS_DECIMALS = 18;

/**
 * An amount as decimal text. A non-terminating decimal is cut, never rounded up, so that the parts never add up to more than
 * the whole.
 */
export function amountOf({ n, d }: Ratio<'mg'>): string {
  const scale = 10n ** BigInt(ENDLESS_DECIMALS);
  return plainText(shortText({ n: (n * scale) / d, d: scale }, ENDLESS_DECIMALS));
}

/** The amount left of each component as decimal text in mg; negative if the vial is over-drawn. */
export function leftTexts(vial: Held): string[] {
  const contents = contentsOf(vial);
  if (contents.length === 1) return [vial.remaining];
  return contents.map((_component, at) => shortOf(leftOf(vial, at)));
}

/** Decimal text, rounded half-up to 18 decimals if it does not terminate. */
export const shortOf = (value: Ratio<'mg'>): string => plainText(shortText(value, ENDLESS_DECIMALS));

/** The exact amount of component `at` that goes with `mg` of component `of`, in the proportions of the label. */
export function shareOf(
  components: readonly Pick<Component, 'amount'>[],
  mg: Ratio<'mg'>,
  { of, at }: { of: number; at: number },
): Ratio<'mg'> {
  if (of === at) return mg;
  const [stated, target] = [components[of]?.amount ?? '1', components[at]?.amount ?? '0'];
  return product(mg, ratio(new Decimal(target), new Decimal(stated)));
}

/** One component's part of a dose. */
export interface ComponentDose {
  readonly name: string;
  /** Exact. */
  readonly mg: Ratio<'mg'>;
  /** True for the component that the dose is stated in. */
  readonly isDosed: boolean;
}

/**
 * How much a dose gives of each component: the stated amount of the dosed one, and the others in proportion. A dose of a
 * single peptide has one part.
 */
export function componentDoses(
  name: string,
  doseMg: Decimal,
  blend: Blend | null | undefined,
): readonly ComponentDose[] {
  const mg = ratio<'mg'>(doseMg);
  if (blend === null || blend === undefined) return [{ name, mg, isDosed: true }];
  const of = Math.max(0, findComponent(blend.components, blend.doseOf));
  return blend.components.map((component, at) => ({
    name: component.name,
    mg: shareOf(blend.components, mg, { of, at }),
    isDosed: at === of,
  }));
}

/** What identifies the component of a blend that a dose counts. */
interface DoseRequest {
  /** Name of the component; by default the one with the name of the dose, else the first. */
  doseOf?: string | null | undefined;
  name: string;
  /** For the plan's own vial: its components when the plan was made. */
  renamedFrom?: readonly Pick<Component, 'name'>[] | null | undefined;
}

/**
 * The index of the component that a dose counts; -1 if the vial does not hold it. A component renamed since the plan was made
 * is recognised by its place, as long as all others have kept their names.
 */
export function findDosed(contents: readonly Pick<Component, 'name'>[], request: DoseRequest): number {
  const { doseOf, name, renamedFrom } = request;
  if (!doseOf) return contents.length < 2 ? 0 : Math.max(0, findComponent(contents, name));
  const named = findComponent(contents, doseOf);
  if (named >= 0 || renamedFrom?.length !== contents.length) return named;
  const at = findComponent(renamedFrom, doseOf);
  const isOnlyRenamed = renamedFrom.every(
    (component, index) => index === at || findComponent(contents, component.name) === index,
  );
  return isOnlyRenamed ? at : -1;
}

/** Like {@link findDosed}, but 0 instead of -1. */
export const dosedAt = (contents: readonly Pick<Component, 'name'>[], request: DoseRequest): number =>
  contents.length < 2 ? 0 : Math.max(0, findDosed(contents, request));

/** A blend with the components that a form offers for its dose. */
export interface BlendChoice {
  id: string;
  name: string;
  /** The names of its components. */
  components: string[];
}

export const blendChoices = (vials: readonly Vial[]): BlendChoice[] =>
  vials.flatMap(({ id, name, components }) =>
    components === undefined ? [] : [{ id, name, components: components.map((component) => component.name) }],
  );

/** The blend in a vial or a plan; null for a single peptide. */
export function blendOf(
  vial: { components?: readonly Component[] | null | undefined },
  request: DoseRequest,
): Blend | null {
  const { components } = vial;
  if (!components || components.length < 2) return null;
  const plain = components.map(({ name, amount }) => ({ name, amount }));
  return { doseOf: plain[dosedAt(plain, request)]?.name ?? '', components: plain };
}

/** True if two labels list the same names and amounts in the same order. Two empty ones are the same. */
export const isSameLabel = (
  one: readonly Component[] | null | undefined,
  other: readonly Component[] | null | undefined,
): boolean =>
  (one ?? []).length === (other ?? []).length &&
  (one ?? []).every(({ name, amount }, at) => {
    const there = other?.[at];
    return there?.name === name && new Decimal(there.amount).eq(amount);
  });

/** True for the same dosed component of the same blend. Two single peptides (no blend) are always the same. */
export const isSameBlend = (one: Blend | null | undefined, other: Blend | null | undefined): boolean =>
  one?.doseOf === other?.doseOf && isSameLabel(one?.components, other?.components);

/** What decides which vials are interchangeable. */
interface StockOf {
  readonly name: string;
  readonly components?: readonly Component[] | null | undefined;
  /** What its amounts are measured in; mg when absent. */
  readonly amountUnit?: SubstanceUnit | null | undefined;
}

/**
 * Vials with the same key are interchangeable. The key is the name of a single peptide; for a blend, its components with their
 * proportions, whatever the vial is called. A blend never has the key of one of its components. What is measured in IU has a
 * key of its own, which no name has, because name keys are lower case.
 */
export function stockKey({ amountUnit, ...contents }: StockOf): string {
  return amountUnit === 'IU' ? `IU ${contentsKey(contents)}` : contentsKey(contents);
}

function contentsKey({ name, components }: Pick<StockOf, 'name' | 'components'>): string {
  if (!components || components.length < 2) return vialNameKey(name);
  const parts = components
    .map((component) => ({
      key: vialNameKey(component.name),
      mg: ratio<'mg'>(new Decimal(component.amount)),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const first = parts[0]?.mg ?? WHOLE;
  return parts
    .map(({ key, mg }) => {
      const { n, d } = quotient<'times'>(mg, first);
      const divisor = greatestDivisor(n, d);
      return `${key}:${n / divisor}/${d / divisor}`;
    })
    .join(';');
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}

type Contents = Pick<Vial, 'totalAmount' | 'waterMl' | 'concentration' | 'displacement'> &
  Partial<Pick<Vial, 'form' | 'pieces'>> & {
    readonly components?: readonly Component[] | undefined;
  };

/**
 * Exact mg or IU per ml of one component, per piece for capsules: amount ÷ solution if the water is known, else from the stored concentration, which is
 * that of the first component.
 * @param at the component's index
 * @returns null if it is unknown, as for dry powder
 */
export function strengthOf(vial: Contents, at = 0): Ratio<'mg/ml'> | null {
  const { totalAmount, waterMl, concentration, pieces, components = [{ amount: totalAmount }] } = vial;
  const amount = new Decimal(components[at]?.amount ?? totalAmount);
  if (formOf(vial) === 'capsule') return pieces ? ratio(amount, new Decimal(pieces)) : null;
  if (waterMl !== null) return ratio(amount, solutionMl({ ...vial, waterMl }));
  if (concentration === null) return null;
  return at === 0
    ? ratio(new Decimal(concentration))
    : ratio(new Decimal(concentration).times(amount), new Decimal(totalAmount));
}

const ML_PER_UL = /* @__PURE__ */ new Decimal('0.001');

/** ml of solution: the water plus the volume of all the powder; of a solution as bought, its volume. */
function solutionMl(vial: Contents & { waterMl: string }): Decimal {
  const { totalAmount, waterMl, displacement, components = [{ amount: totalAmount }] } = vial;
  if (isReadyMade(vial)) return new Decimal(waterMl);
  const powder = components.reduce((mg, { amount }) => mg.plus(amount), new Decimal(0));
  return new Decimal(waterMl).plus(powder.times(displacement).times(ML_PER_UL));
}

/** What the hand counts with. @param vial whose form decides, and the ml of a click or spray */
export const containerOf = ({
  form,
  clickMl,
  sprayMl,
}: Partial<Pick<Vial, 'form' | 'clickMl' | 'sprayMl'>>): Container => ({
  form: form ?? undefined,
  clickMl: clickMl ?? undefined,
  sprayMl: sprayMl ?? undefined,
});

/**
 * What to draw from a vial for a dose: ml with 3 decimals, and units of a syringe's scale with at most 2; clicks, sprays or
 * capsules where nothing is drawn.
 * @param doseMg decimal text, mg
 * @param at the index of the component that the dose counts
 * @param unit of the dose that the nearest mark delivers
 * @returns null if the vial's strength is unknown
 */
export function drawOf(
  vial: Vial,
  doseMg: string,
  syringe: SyringeChoice = 'u100-1ml',
  at = 0,
  unit: DoseUnit = 'mg',
): Draw | null {
  const strength = strengthOf(vial, at);
  if (strength === null) return null;
  const exactConcentration = { mg: String(strength.n), ml: String(strength.d) };
  return drawForDose({ exactConcentration, scale: scaleOf({ ...containerOf(vial), syringe }) }, doseMg, unit);
}

/**
 * The cost of a dose: price of the vial × dose ÷ the vial's total of the component that the dose counts. Two decimals, or more
 * for costs below 0.01.
 * @param doseMg decimal text, mg
 * @returns null if the price is unknown
 */
export function costOfDose(
  vial: Pick<Vial, 'cost' | 'totalAmount' | 'components'>,
  doseMg: string,
  at = 0,
): string | null {
  if (vial.cost === null) return null;
  const amountText = vial.components?.[at]?.amount ?? vial.totalAmount;
  const paid = ratio(new Decimal(vial.cost).times(doseMg), new Decimal(amountText));
  return paid.n > 0n && paid.n * 100n < paid.d ? readableText(paid) : fixedText(paid, 2);
}

/** The largest relative difference from the exact concentration that still counts as rounding. */
const TOLERATED = /* @__PURE__ */ new Decimal('0.01');

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/**
 * True if a concentration matches amount and water: exactly, as the nearest double, or rounded half-up to the decimals given
 * (at least two) and within one percent.
 * @param concentration decimal text, mg/ml or IU/ml, for capsules the amount in one
 */
export function concentrationMatches(
  concentration: string,
  contents: Omit<Contents, 'concentration'>,
): boolean {
  const exact = strengthOf({ ...contents, concentration: null });
  if (exact === null) return false;
  const stated = new Decimal(concentration);
  if (nearestDouble(exact) === nearestDouble(ratio(stated))) return true;
  const decimals = Math.max(2, decimalsOf(concentration));
  if (!stated.eq(fixedText(exact, decimals))) return false;
  const target = new Decimal(String(exact.n)).div(String(exact.d));
  return stated.minus(target).abs().lte(target.times(TOLERATED));
}

const MCG_PER_MG: Ratio<'mcg/mg'> = { n: 1000n, d: 1n };

/** "250 mcg": one component's part in the unit of the dose, with at most 3 decimals but at least 3 significant digits. */
export function partText({ mg }: Pick<ComponentDose, 'mg'>, unit: DoseUnit): string {
  return `${figureText(readableText(unit === 'mcg' ? product(mg, MCG_PER_MG) : mg))} ${unit}`;
}

/** The same as the nearest double, for programs. */
export const partAmount = ({ mg }: Pick<ComponentDose, 'mg'>, unit: DoseUnit): number =>
  nearestDouble(unit === 'mcg' ? product(mg, MCG_PER_MG) : mg);

/** "TB-500 250 mcg" for each component except the dosed one; empty for a single peptide. */
export function otherDoseTexts(parts: readonly ComponentDose[], unit: DoseUnit): string[] {
  return parts.filter(({ isDosed }) => !isDosed).map((part) => `${part.name} ${partText(part, unit)}`);
}

/** The fields of a dose that determine how much of each component it gives. */
export interface BlendedDose {
  readonly name: string;
  /** Decimal text in `doseUnit`. */
  readonly doseAmount: string;
  readonly actualDose?: string | null | undefined;
  readonly doseUnit: DoseUnit;
  /** The blend in its plan; absent for a single peptide. */
  readonly blend?: Blend | null | undefined;
  /** The blend that it was drawn from; absent until it is taken, and for a single peptide. */
  readonly drawn?: Blend | null | undefined;
}

/** The blend of a dose: the one it was drawn from, else the one in its plan; null for a single peptide. */
export const blendOfDose = ({ blend, drawn }: Pick<BlendedDose, 'blend' | 'drawn'>): Blend | null =>
  drawn ?? blend ?? null;

/** How much a dose gives of each component: as taken, else as planned. */
export function partsOfDose(dose: BlendedDose): readonly ComponentDose[] {
  const { name, actualDose, doseAmount, doseUnit } = dose;
  const mg = toBaseUnit(new Decimal(actualDose ?? doseAmount).toFixed(), doseUnit);
  return componentDoses(name, mg, blendOfDose(dose));
}

/**
 * A dose as text: "250 mcg"; for a blend, each component in the order of the label, "BPC-157 250 mcg + TB-500 500 mcg". The
 * dosed component is shown exactly as stated, the others in proportion.
 * @param amount decimal text in `unit`
 * @param blend the blend it is drawn from; null for a single peptide
 */
export function doseWords(amount: string, unit: DoseUnit, blend: Blend | null | undefined): string {
  if (blend === null || blend === undefined) return doseText(amount, unit);
  return componentDoses('', toBaseUnit(amount, unit), blend)
    .map((part) => `${part.name} ${part.isDosed ? doseText(amount, unit) : partText(part, unit)}`)
    .join(' + ');
}

/** A dose as taken, else as planned, as text; see {@link doseWords}. */
export const givenWords = (dose: Omit<BlendedDose, 'name'>): string =>
  doseWords(dose.actualDose ?? dose.doseAmount, dose.doseUnit, blendOfDose(dose));

/** A dose as planned, as text. Without a known plan, the blend it was drawn from is used. */
export const plannedWords = ({ doseAmount, doseUnit, blend, drawn }: Omit<BlendedDose, 'name'>): string =>
  doseWords(doseAmount, doseUnit, blend ?? drawn);

/**
 * The name and the text of a dose: "BPC-157, 250 mcg". A blend named after its components is not named twice.
 */
export function namedDose(name: string, words: string, blend: Blend | null | undefined): string {
  const isNamed = blend && vialNameKey(name) === vialNameKey(blendName(blend.components));
  return isNamed ? words : `${name}, ${words}`;
}

/**
 * How much a dose gives of the compound with this name key, as decimal text in the dose's unit: a component's part of a blend,
 * else the dose itself.
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

/** True if a dose is, or contains, the compound with this name key. */
export const isUnder = (dose: Pick<BlendedDose, 'name' | 'blend' | 'drawn'>, nameKey: string): boolean =>
  [dose.name, ...(blendOfDose(dose)?.components ?? []).map((one) => one.name)].some(
    (name) => vialNameKey(name) === nameKey,
  );

/** The key of all taken blends in place of a name. No name has it, because name keys are lower case. */
export const BLEND_KEY = 'BLEND';

/** The keys under which a taken dose is found: its name; for a blend, its own name and those of its components. */
export function nameKeysOf(
  name: string,
  blend: Blend | null,
): { nameKey: string; nameKeys?: readonly string[] } {
  const keys = [...new Set([name, ...(blend?.components ?? []).map((one) => one.name)].map(vialNameKey))];
  return keys.length === 1 ? { nameKey: keys[0] ?? '' } : { nameKey: BLEND_KEY, nameKeys: keys };
}
