import type { CalculationResult, SolveFor } from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';

/** The form's `id`, by which controls in the result panel belong to it. */
export const FORM_ID = 'calculator';

/** Where "Calculate" leads to: the result, or without one the top of the form. */
export const ANSWER_ID = 'answer';

/** What was typed, by field name. */
export type CalculatorValues = Readonly<Partial<Record<string, string>>>;

/** The common blends that the form offers, and where their proportions come from. */
export interface BlendChoices {
  source: string;
  choices: { id: string; label: string }[];
}

/** What the calculator shows: first the server's response, then the result of typing. */
export interface CalculatorOutcome {
  result: CalculationResult | null;
  errors: FieldErrors;
}

/** How the calculator offers to save. */
export type SaveState =
  /** Visitors cannot save: a link leads to the sign-in, and unless offline a button takes the calculation to the registration. */
  | { kind: 'signed-out'; signInHref: string; isOffline?: true }
  /** A valid result may be saved: shows "Save Calculation". `action` is the calculator that saves, if not this one. */
  | { kind: 'offer'; action?: string }
  /** Save mode: name, notes and the submitting "Save Calculation". `saveKey` prevents saving twice. */
  | { kind: 'open'; action: string; cancelHref: string; saveKey: string };

export function firstError(errors: FieldErrors, field: string): string | undefined {
  return errors[field]?.[0];
}

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The fields of the calculator that are filled in. */
export function controls(form: HTMLFormElement): Control[] {
  return Array.from(form.elements).filter((element): element is Control =>
    element.matches('input:not([type=hidden]), select, textarea'),
  );
}

/** The key of a control in the values: rows of components share a name, so their `id` is used. */
export const keyOf = ({ name, id }: Control) => (name.startsWith('component') ? id : name);

/** A number with letters after it. */
export const AMOUNT_WITH_UNIT = /^\s*[\d.,]+\s*\p{L}+\s*$/u;

const CONTENT = ['peptideAmount', 'waterVolume'];
const LIQUID = ['concentration', 'containerVolume'];

/** What says how strong the container's content is, and what the hand's steps are. */
const CONTENT_OF = new Map([
  ['solution', LIQUID],
  ['pen', [...LIQUID, 'clickMl']],
  ['spray', [...LIQUID, 'sprayMl']],
  ['capsule', ['peptideAmount']],
]);

/** The fields that a calculation needs. */
function neededBy(source: FormData | CalculatorValues): readonly string[] {
  const way = solveForOf(source);
  const content = CONTENT_OF.get(textOf(source, 'form')) ?? CONTENT;
  if (way === 'water') return ['peptideAmount', 'desiredDose', 'drawVolume'];
  return [...content, way === 'dose' ? 'drawVolume' : 'desiredDose'];
}

/** The chosen mode, from the form or from submitted values. */
export function solveForOf(source: FormData | CalculatorValues): SolveFor {
  const way = source instanceof FormData ? source.get('solveFor') : source['solveFor'];
  return way === 'water' || way === 'dose' ? way : 'volume';
}

/** The amount of a blend is that of its first row. */
const textOf = (source: FormData | CalculatorValues, name: string): string => {
  const read = (field: string) => (source instanceof FormData ? source.get(field) : source[field]);
  return String(read(name) ?? read(name.replace('peptide', 'component')) ?? '').trim();
};

/** True if every field that the chosen mode uses is filled. */
export function isFilled(source: FormData | CalculatorValues): boolean {
  return neededBy(source).every((name) => textOf(source, name) !== '');
}

/** True if no number has been entered and the mode is the default one. */
export function isEmpty(source: FormData | CalculatorValues): boolean {
  const isUsual = solveForOf(source) === 'volume';
  return isUsual && [...neededBy(source), 'drawVolume'].every((name) => textOf(source, name) === '');
}
