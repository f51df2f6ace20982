import { findComponent, blendName } from '#app/domain/calculator/components.ts';
import { type Component, SYRINGES, type SyringeId } from '#app/domain/calculator/calculation.ts';
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
import { vialNameKey, type Vial, type VialComponent } from './vial.ts';
import { drawForDose, type Draw } from '#app/domain/calculator/calculate.ts';
import { doseText, massInMg, figureText } from '#app/domain/units/quantity.ts';

/** What is drawn from a blend: what it holds, and the component whose dose is meant. */
export interface Blend {
  /** Name of one of the components. */
  readonly doseOf: string;
  /** In the order of the label; amounts are those of a vial in mg, and so say how doses relate. */
  readonly components: readonly Component[];
}

type Held = Pick<Vial, 'name' | 'totalAmount' | 'remaining' | 'components'>;

/**
 * What a vial holds, in the order of its label: a vial of one peptide is a blend of one, with the vial's name. The vial's own
 * total and balance are those of the first.
 */
export function contentsOf(vial: Held): readonly VialComponent[] {
  if (vial.components !== undefined) return vial.components;
  const { name, totalAmount: amount, remaining } = vial;
  return [{ name, amount, changedMg: new Decimal(remaining).minus(amount).toFixed(), foldedMg: '0' }];
}

const WHOLE: Ratio<'share'> = { n: 1n, d: 1n };

/** A share of a vial below which nobody could draw anything: what rounding to 18 decimals leaves of a blend. */
const NOTHING: Ratio<'share'> = /* @__PURE__ */ ratio(/* @__PURE__ */ new Decimal('0.000000000000001'));

const isNothing = ({ n, d }: Ratio<'share'>): boolean => compare({ n: n < 0n ? -n : n, d }, NOTHING) < 0;

/**
 * The share of its solution that is left in a vial, exactly: a draw that is stated in one component takes the same share of
 * all of them. Below zero when it is over-drawn.
 */
function leftShare(contents: readonly VialComponent[]): Ratio<'share'> {
  return contents.reduce(
    (left, { amount, changedMg }) => sum(left, ratio(new Decimal(changedMg), new Decimal(amount))),
    WHOLE,
  );
}

/** What is left of one component, exactly; below zero when the vial is over-drawn. @param at its place in the contents */
export function leftOf(vial: Held, at = 0): Ratio<'mg'> {
  const contents = contentsOf(vial);
  const share = leftShare(contents);
  if (contents.length > 1 && isNothing(share)) return { n: 0n, d: 1n };
  return product(share, ratio(new Decimal(contents[at]?.amount ?? 0)));
}

/** Decimals of an amount in mg that has no end, such as a third of one. */
const ENDLESS_DECIMALS = 18;

/**
 * An amount as decimal text. A quotient without an end is cut, never rounded up: sums of such parts must not come out above the
 * whole.
 */
export function amountOf({ n, d }: Ratio<'mg'>): string {
  const scale = 10n ** BigInt(ENDLESS_DECIMALS);
  return plainText(shortText({ n: (n * scale) / d, d: scale }, ENDLESS_DECIMALS));
}

/** What is left of each component as decimal text in mg; below zero when the vial is over-drawn. */
export function leftTexts(vial: Held): string[] {
  const contents = contentsOf(vial);
  if (contents.length === 1) return [vial.remaining];
  return contents.map((_component, at) => shortOf(leftOf(vial, at)));
}

/** Rounded half-up where it has no end. */
export const shortOf = (value: Ratio<'mg'>): string => plainText(shortText(value, ENDLESS_DECIMALS));

/** How much of one component goes with an amount of another, exactly: they relate as their amounts on the label. */
export function shareOf(
  components: readonly Pick<Component, 'amount'>[],
  mg: Ratio<'mg'>,
  { of, at }: { of: number; at: number },
): Ratio<'mg'> {
  if (of === at) return mg;
  const [stated, wanted] = [components[of]?.amount ?? '1', components[at]?.amount ?? '0'];
  return product(mg, ratio(new Decimal(wanted), new Decimal(stated)));
}

/** One component's part of a dose. */
export interface ComponentDose {
  readonly name: string;
  /** Exact. */
  readonly mg: Ratio<'mg'>;
  /** The dose is stated in this one. */
  readonly isDosed: boolean;
}

/**
 * What a dose gives of each component: that of the dosed one as stated, the others as the amounts relate. A dose of a single
 * peptide has one part.
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

/** Which component of a blend a dose is of. */
interface AskedDose {
  /** Its name; without it the component with the name of what is taken is meant, else the first. */
  doseOf?: string | null | undefined;
  name: string;
  /** What the vial held when the plan of the dose was made, if it is the plan's own. */
  renamedFrom?: readonly Pick<Component, 'name'>[] | null | undefined;
}

/**
 * The place of the component that a dose is of; -1 when it is of something that is not there. A component that was renamed
 * since the plan was made is known by its place, as long as all others have their names.
 */
export function findDosed(contents: readonly Pick<Component, 'name'>[], asked: AskedDose): number {
  const { doseOf, name, renamedFrom } = asked;
  if (!doseOf) return contents.length < 2 ? 0 : Math.max(0, findComponent(contents, name));
  const named = findComponent(contents, doseOf);
  if (named >= 0 || renamedFrom?.length !== contents.length) return named;
  const at = findComponent(renamedFrom, doseOf);
  const isOnlyRenamed = renamedFrom.every(
    (component, index) => index === at || findComponent(contents, component.name) === index,
  );
  return isOnlyRenamed ? at : -1;
}

/** The same, with the first one for a dose of something that is not there. */
export const dosedAt = (contents: readonly Pick<Component, 'name'>[], asked: AskedDose): number =>
  contents.length < 2 ? 0 : Math.max(0, findDosed(contents, asked));

/** A vial of a blend as the choice of the component that a dose is of needs it. */
export interface BlendChoice {
  id: string;
  name: string;
  /** The names of its components. */
  components: string[];
}

/** The blends among some vials. */
export const blendChoices = (vials: readonly Vial[]): BlendChoice[] =>
  vials.flatMap(({ id, name, components }) =>
    components === undefined ? [] : [{ id, name, components: components.map((component) => component.name) }],
  );

/** A vial, or what a plan says of one, as a blend; null for one of a single peptide. */
export function blendOf(
  vial: { components?: readonly Component[] | null | undefined },
  asked: AskedDose,
): Blend | null {
  const { components } = vial;
  if (!components || components.length < 2) return null;
  const plain = components.map(({ name, amount }) => ({ name, amount }));
  return { doseOf: plain[dosedAt(plain, asked)]?.name ?? '', components: plain };
}

/** Whether two labels say the same: components with the same names and amounts, in the same order. None is like none. */
export const isSameLabel = (
  one: readonly Component[] | null | undefined,
  other: readonly Component[] | null | undefined,
): boolean =>
  (one ?? []).length === (other ?? []).length &&
  (one ?? []).every(({ name, amount }, at) => {
    const there = other?.[at];
    return there?.name === name && new Decimal(there.amount).eq(amount);
  });

/** Whether the same component of the same blend is meant. A single peptide, which is no blend, is like any other. */
export const isSameBlend = (one: Blend | null | undefined, other: Blend | null | undefined): boolean =>
  one?.doseOf === other?.doseOf && isSameLabel(one?.components, other?.components);

/**
 * The key under which stock can stand for other stock: the name of a single peptide; of a blend its components with their
 * proportions, whatever the vial is called. A blend never has the key of one of its components.
 */
export function stockKey({
  name,
  components,
}: {
  name: string;
  components?: readonly Component[] | null | undefined;
}): string {
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

type Contents = Pick<Vial, 'totalAmount' | 'waterMl' | 'concentration' | 'displacement'> & {
  readonly components?: readonly Component[] | undefined;
};

/**
 * mg of one component in one ml, exactly: amount ÷ solution when the water is known, else the concentration as given, which is
 * that of the first.
 * @param at the component's place; the first, which is the only one of a single peptide, unless given
 * @returns null when it is unknown, as for a vial that still holds dry powder
 */
export function strengthOf(vial: Contents, at = 0): Ratio<'mg/ml'> | null {
  const { totalAmount, waterMl, concentration, components = [{ amount: totalAmount }] } = vial;
  const amount = new Decimal(components[at]?.amount ?? totalAmount);
  if (waterMl !== null) return ratio(amount, solutionMl({ ...vial, waterMl }));
  if (concentration === null) return null;
  return at === 0
    ? ratio(new Decimal(concentration))
    : ratio(new Decimal(concentration).times(amount), new Decimal(totalAmount));
}

const ML_PER_UL = /* @__PURE__ */ new Decimal('0.001');

/** ml of solution: the water, and what all the powder takes up in it. */
function solutionMl(vial: Contents & { waterMl: string }): Decimal {
  const { totalAmount, waterMl, displacement, components = [{ amount: totalAmount }] } = vial;
  const powder = components.reduce((mg, { amount }) => mg.plus(amount), new Decimal(0));
  return new Decimal(waterMl).plus(powder.times(displacement).times(ML_PER_UL));
}

/**
 * What to draw from a vial for a dose: ml with 3 decimals, and units of a syringe's scale with at most 2.
 * @param doseMg decimal text, mg
 * @param at the component that the dose is of
 * @returns null when the vial's strength is not known
 */
export function drawOf(vial: Vial, doseMg: string, syringe: SyringeId = 'u100-1ml', at = 0): Draw | null {
  const strength = strengthOf(vial, at);
  if (strength === null) return null;
  const exactConcentration = { mg: String(strength.n), ml: String(strength.d) };
  return drawForDose({ exactConcentration, syringe: SYRINGES[syringe] }, doseMg);
}

/**
 * What a dose cost: what was paid × dose ÷ what the vial held of the component that the dose is of. A vial has one price,
 * whatever it holds. Two decimals, more when that would show nothing.
 * @param doseMg decimal text, mg
 * @returns null when it is not known what was paid
 */
export function costOfDose(
  vial: Pick<Vial, 'cost' | 'totalAmount' | 'components'>,
  doseMg: string,
  at = 0,
): string | null {
  if (vial.cost === null) return null;
  const held = vial.components?.[at]?.amount ?? vial.totalAmount;
  const paid = ratio(new Decimal(vial.cost).times(doseMg), new Decimal(held));
  return paid.n > 0n && paid.n * 100n < paid.d ? readableText(paid) : fixedText(paid, 2);
}

/** A concentration that differs by more than this from the exact one was not merely rounded. */
const TOLERATED = /* @__PURE__ */ new Decimal('0.01');

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/**
 * True when a concentration is what amount and water give: exactly, as the nearest double, or rounded half-up to the
 * digits that were given (at least two) and within one percent.
 * @param concentration decimal text, mg/ml
 */
export function concentrationMatches(
  concentration: string,
  contents: Pick<Contents, 'totalAmount' | 'displacement' | 'components'> & { waterMl: string },
): boolean {
  const exact = strengthOf({ ...contents, concentration: null });
  if (exact === null) return false;
  const given = new Decimal(concentration);
  if (nearestDouble(exact) === nearestDouble(ratio(given))) return true;
  const decimals = Math.max(2, decimalsOf(concentration));
  if (!given.eq(fixedText(exact, decimals))) return false;
  const wanted = new Decimal(String(exact.n)).div(String(exact.d));
  return given.minus(wanted).abs().lte(wanted.times(TOLERATED));
}

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
