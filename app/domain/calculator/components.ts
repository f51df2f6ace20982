import { plainText } from '#app/domain/decimal/decimal.ts';
import { MAX_NAME_LENGTH, readAmount, withoutControls } from '#app/domain/forms/text-fields.ts';
import { MASS_UNITS } from '#app/domain/units/quantity.ts';
import type { CalculationDraft, Component } from './calculation.ts';

/** A name by its letters and digits alone: "bpc 157", "BPC-157" and "Bpc157" are one. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The most components that one vial can hold. */
export const MAX_COMPONENTS = 6;

/** Messages about the components of a blend. */
export const COMPONENT_MESSAGES = {
  list: 'Give the components as a list, each with a name and an amount, such as BPC-157:5;TB-500:5',
  count: `A vial can hold at most ${MAX_COMPONENTS} components`,
  name: 'Name each component with at most 100 characters, one of them a letter, and no semicolon',
  twice: 'Two components have the same name',
  doseOf: 'The dose is of one of the components',
  doseOfOther: 'This vial does not hold what the dose is of',
  doseOfNone: 'The dose can be of one of several components only; give them first',
  measured: 'Measured content is of a vial with one peptide',
  contradicts: 'Give either the peptide amount or the components',
} as const;

/** True for a name that a component can have: a number would be taken for its row, a semicolon ends it in files. */
const isComponentName = (name: string): boolean => /\p{L}/u.test(name) && !name.includes(';');

/** Which component of a list is meant, by its name in any spelling; -1 for none. */
export function findComponent(components: readonly Pick<Component, 'name'>[], name: string): number {
  const key = plainName(name);
  if (key === '') return -1;
  return components.findIndex((component) => plainName(component.name) === key);
}

/**
 * What a vial holds, in the order of its label: a single peptide is a blend of one, which may have no name. What was
 * measured of it stands for what is printed.
 * @returns with which of them the dose is of
 */
export function componentsOf(
  input: Pick<CalculationDraft, 'components' | 'doseOf' | 'measuredAmount' | 'peptideAmount' | 'peptideName'>,
): {
  components: readonly { readonly name: string | undefined; readonly amount: string | undefined }[];
  dosed: number;
} {
  const { components, doseOf, measuredAmount, peptideAmount, peptideName } = input;
  if (components === undefined || components.length < 2) {
    const { name, amount } = components?.[0] ?? { name: peptideName, amount: peptideAmount };
    return { components: [{ name, amount: measuredAmount ?? amount }], dosed: 0 };
  }
  return { components, dosed: doseOf === undefined ? 0 : Math.max(0, findComponent(components, doseOf)) };
}

/** What a blend is called when nobody named it: "BPC-157 + TB-500". */
export function blendName(components: readonly Pick<Component, 'name'>[]): string {
  return components
    .map(({ name }) => name)
    .join(' + ')
    .slice(0, 100)
    .trim();
}

/** The components as one text, for files: "BPC-157:5;TB-500:5", amounts in mg. */
export function componentsText(components: readonly Component[]): string {
  return rowsText(components.map(({ name, amount }) => ({ name, amount: plainText(amount) })));
}

/** Rows as they were typed, as one text; what is wrong with them stays wrong in it. */
export const rowsText = (rows: readonly TypedComponent[]): string =>
  rows.map(({ name, amount }) => `${name}:${amount}`).join(';');

/**
 * Takes the text of a file apart. Nothing is checked yet: a part without a colon has no amount.
 * @param separator what stands between a name and its amount: a colon in files, an equals sign in a terminal
 */
export function splitComponents(text: string, separator = ':'): { name: string; amount: string }[] {
  return text
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const at = part.lastIndexOf(separator);
      return at < 0
        ? { name: part.trim(), amount: '' }
        : { name: part.slice(0, at).trim(), amount: part.slice(at + 1).trim() };
    });
}

/** A row of the calculator's form as it was typed. */
export interface TypedComponent {
  readonly name: string;
  readonly amount: string;
}

/** Rows that are looked at: one more than a vial can hold is enough to see that there are too many. */
const MOST_ROWS = MAX_COMPONENTS + 1;

/**
 * The rows of components that a form or an address holds, in their order, empty ones included; an address may give them
 * as one text as well.
 */
export function typedComponents(
  source: Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>,
): readonly TypedComponent[] {
  if (!(Symbol.iterator in source)) return [];
  const names: string[] = [];
  const amounts: string[] = [];
  let text = '';
  for (const [field, value] of source) {
    if (typeof value !== 'string') continue;
    if (field === 'componentName') names.push(value);
    if (field === 'componentAmount') amounts.push(value);
    if (field === 'components') text = value;
  }
  if (names.length + amounts.length === 0) return splitComponents(text).slice(0, MOST_ROWS);
  const rows = Math.min(MOST_ROWS, Math.max(names.length, amounts.length));
  return Array.from({ length: rows }, (_, at) => ({ name: names[at] ?? '', amount: amounts[at] ?? '' }));
}

/** True when nothing was typed in a row of the form. */
export const isBlankRow = ({ name, amount }: TypedComponent): boolean =>
  name.trim() === '' && amount.trim() === '';

/** Where something is wrong with a component: at its name or its amount, or with the list as a whole. */
export type ComponentIssue = { message: string; path: (string | number)[] };

/** What an amount of a component must be: whether it fits, and what is said of one that does not. */
export interface AmountRule {
  readonly message: string;
  /** @param text decimal text in mg */
  readonly fits: (text: string) => boolean;
}

/** Reads one component. @param at its place in the list as it was sent */
function readComponent(
  sent: unknown,
  at: number,
  { message, fits }: AmountRule,
  issues: ComponentIssue[],
): Component | null {
  const { name: given, amount } = (typeof sent === 'object' ? (sent ?? {}) : {}) as Record<string, unknown>;
  const name = typeof given === 'string' ? withoutControls(given.replace(/\s+/g, ' ')).trim() : '';
  const isNamed = name.length <= MAX_NAME_LENGTH && isComponentName(name);
  if (!isNamed) issues.push({ message: COMPONENT_MESSAGES.name, path: [at, 'name'] });
  const refuse = (problem: string) => {
    issues.push({ message: isNamed ? `${name}: ${problem}` : problem, path: [at, 'amount'] });
    return null;
  };
  if (typeof amount !== 'string' && typeof amount !== 'number') return refuse(message);
  const read = readAmount(amount, MASS_UNITS, message);
  if ('problem' in read) return refuse(read.problem);
  if (!fits(read.text)) return refuse(message);
  return { name, amount: read.text };
}

const isBlank = (row: unknown): boolean => {
  const { name, amount } = (typeof row === 'object' ? (row ?? {}) : {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof amount === 'string' && isBlankRow({ name, amount });
};

/**
 * Reads a list of components, or the text of a file. Rows of a form that were left empty do not count.
 * @param issues what is wrong with them is added here
 */
export function readComponents(sent: unknown, rule: AmountRule, issues: ComponentIssue[]): Component[] {
  const list: unknown = typeof sent === 'string' ? splitComponents(sent) : sent;
  if (!Array.isArray(list) || list.length > MAX_COMPONENTS * 2) {
    issues.push({ message: COMPONENT_MESSAGES.list, path: [] });
    return [];
  }
  const rows = (list as unknown[]).map((row, at) => ({ row, at }));
  const filled = rows.filter(({ row }) => !isBlank(row));
  if (filled.length > MAX_COMPONENTS) issues.push({ message: COMPONENT_MESSAGES.count, path: [] });
  const components = filled.flatMap(({ row, at }) => readComponent(row, at, rule, issues) ?? []);
  components.forEach(({ name }, nth) => {
    const at = filled[nth]?.at ?? nth;
    if (issues.length === 0 && findComponent(components, name) !== nth)
      issues.push({ message: COMPONENT_MESSAGES.twice, path: [at, 'name'] });
  });
  return components;
}
