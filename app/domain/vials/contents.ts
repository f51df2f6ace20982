import { findComponent } from '#app/domain/calculator/components.ts';
import type { Component } from '#app/domain/calculator/calculation.ts';
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
} from '#app/domain/decimal/decimal.ts';
import { vialNameKey, type Vial, type VialComponent } from './vial.ts';

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
const NOTHING: Ratio<'share'> = ratio(new Decimal('0.000000000000001'));

const isNothing = ({ n, d }: Ratio<'share'>): boolean => compare({ n: n < 0n ? -n : n, d }, NOTHING) < 0;

/**
 * The share of its solution that is left in a vial, exactly: a draw that is stated in one component takes the same share of
 * all of them. Below zero when it is over-drawn.
 */
export function leftShare(contents: readonly VialComponent[]): Ratio<'share'> {
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
