import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';

/** The form's `id`: controls in the result panel belong to the form by it. */
export const FORM_ID = 'calculator';

/** What was typed, by field name. */
export type CalculatorValues = Readonly<Partial<Record<string, string>>>;

/** The common blends that the form offers, and where their proportions come from. */
export interface BlendChoices {
  source: string;
  choices: { id: string; label: string }[];
}

/** What the calculator shows: the server's answer first, then what live typing makes of it. */
export interface CalculatorOutcome {
  result: CalculationResult | null;
  errors: FieldErrors;
}

/** The part of saving in the calculator. */
export type SaveState =
  /** Visitors cannot save: the link says where to sign in, and a button takes what was typed to the registration, unless that cannot be reached. */
  | { kind: 'signed-out'; signInHref: string; isOffline?: true }
  /** A valid result may be saved: shows "Save Calculation". `action` is the calculator that saves, if not this one. */
  | { kind: 'offer'; action?: string }
  /** Save mode: name, notes and the submitting "Save Calculation". `saveKey` makes a second press save nothing twice. */
  | { kind: 'open'; action: string; cancelHref: string; saveKey: string };

export function firstError(errors: FieldErrors, field: string): string | undefined {
  return errors[field]?.[0];
}
