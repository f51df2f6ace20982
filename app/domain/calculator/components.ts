import { plainText } from '#app/domain/decimal/decimal.ts';
import { MAX_NAME_LENGTH, readAmount, withoutControls } from '#app/domain/forms/text-fields.ts';
import { MASS_UNITS, type AmountUnit } from '#app/domain/units/quantity.ts';
import type { CalculationDraft, Component } from './calculation.ts';

/** A name reduced to letters and digits, so that "bpc 157", "BPC-157" and "Bpc157" are the same. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The most components that one vial can hold. */
export const MAX_COMPONENTS = 6;

/** Messages about the components of a blend. */
export const COMPONENT_MESSAGES = {
  list: 'Enter the components as a list, each with a name and an amount, such as BPC-157:5;TB-500:5',
  count: `A vial can hold at most ${MAX_COMPONENTS} components`,
  name: 'Each component needs a name with a letter, at most 100 characters and no semicolon',
  twice: 'Two components have the same name',
  doseOf: 'Choose the component that the dose is for',
  doseOfOther: 'This vial does not contain the component that the dose is for',
  doseOfNone: 'Enter the components before you choose the one that the dose is for',
  measured: 'Measured content is only for vials with one peptide',
  contradicts: 'Enter either the peptide amount or the components',
} as const;

/** True for a valid component name. A number would be read as a row, and a semicolon separates components in files. */
const isComponentName = (name: string): boolean => /\p{L}/u.test(name) && !name.includes(';');

/** The index of a component by its name in any spelling; -1 if there is none. */
export function findComponent(components: readonly Pick<Component, 'name'>[], name: string): number {
  const key = plainName(name);
  if (key === '') return -1;
  return components.findIndex((component) => plainName(component.name) === key);
}

/**
 * The contents of a vial in the order of its label. A single peptide is a blend of one, which may have no name. A measured
 * amount replaces the printed one.
 * @returns the components, and the index of the one that the dose is for
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

/** The default name of a blend: "BPC-157 + TB-500". */
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

/** Rows as one text, exactly as typed, errors included. */
export const rowsText = (rows: readonly TypedComponent[]): string =>
  rows.map(({ name, amount }) => `${name}:${amount}`).join(';');

/**
 * Splits the text of a file without checking it; a part without a separator has no amount.
 * @param separator between a name and its amount: a colon in files, an equals sign in the terminal
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

/** Most rows to read: one more than a vial can hold shows that there are too many. */
const MOST_ROWS = MAX_COMPONENTS + 1;

/**
 * The component rows of a form or a URL in order, including empty ones. A URL may also have them as one text.
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

/** A problem with a component's name or amount, or with the whole list. */
export type ComponentIssue = { message: string; path: (string | number)[] };

/** The rule for a component's amount, and the message if it is broken. */
export interface AmountRule {
  readonly message: string;
  /** The units that may be typed with an amount; it is read in the first. */
  readonly units?: readonly [AmountUnit, ...AmountUnit[]];
  /** @param text decimal text in the first of the units, mg by default */
  readonly fits: (text: string) => boolean;
}

/** Reads one component. @param at its index in the submitted list */
function readComponent(
  sent: unknown,
  at: number,
  { message, fits, units = MASS_UNITS }: AmountRule,
  issues: ComponentIssue[],
): Component | null {
  const { name: typedName, amount } = (typeof sent === 'object' ? (sent ?? {}) : {}) as Record<
    string,
    unknown
  >;
  const name = typeof typedName === 'string' ? withoutControls(typedName.replace(/\s+/g, ' ')).trim() : '';
  const isNamed = name.length <= MAX_NAME_LENGTH && isComponentName(name);
  if (!isNamed) issues.push({ message: COMPONENT_MESSAGES.name, path: [at, 'name'] });
  const refuse = (problem: string) => {
    issues.push({ message: isNamed ? `${name}: ${problem}` : problem, path: [at, 'amount'] });
    return null;
  };
  if (typeof amount !== 'string' && typeof amount !== 'number') return refuse(message);
  const read = readAmount(amount, units, message);
  if ('problem' in read) return refuse(read.problem);
  if (!fits(read.text)) return refuse(message);
  return { name, amount: read.text };
}

const isBlank = (row: unknown): boolean => {
  const { name, amount } = (typeof row === 'object' ? (row ?? {}) : {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof amount === 'string' && isBlankRow({ name, amount });
};

/**
 * Reads a list of components, or their text from a file. Empty rows of a form are ignored.
 * @param issues problems are added to this list
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
