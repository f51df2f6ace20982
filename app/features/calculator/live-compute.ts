import { calculate } from '#app/domain/calculator/calculate.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { SOLVED_FIELD, type OwnSyringe } from '#app/domain/calculator/calculation.ts';
import {
  AMOUNT_WITH_UNIT,
  controls,
  keyOf,
  type CalculatorOutcome,
  type CalculatorValues,
  solveForOf,
} from './calculator-state.ts';

/** The server's own two steps, run in the browser. Loaded at the first keystroke, not with the page. */
export function computeLive(
  form: FormData | URLSearchParams,
  syringes?: readonly OwnSyringe[],
): CalculatorOutcome & { values: CalculatorValues } {
  const parsed = parseCalculationForm(form, syringes);
  const { values } = parsed;
  return parsed.ok
    ? { result: calculate(parsed.input), errors: {}, values }
    : { result: null, errors: parsed.fields, values };
}

/**
 * Sets the unit's control to a unit typed after a number, and removes it from the number once its field was left, as happens
 * when the form is sent.
 */
function takeUnits(form: HTMLFormElement, values: CalculatorValues, hasLeft: boolean): void {
  // As a person does it, so that the unit of the dose follows.
  if (values['amountUnit'] === 'IU')
    form.querySelector<HTMLInputElement>('[name=amountUnit][value=IU]')?.click();
  for (const control of controls(form)) {
    if (!AMOUNT_WITH_UNIT.test(control.value)) continue;
    if (hasLeft) control.value = values[keyOf(control)] ?? control.value;
    const unit = control.name === 'desiredDose' ? form.elements.namedItem('desiredDoseUnit') : null;
    if (unit instanceof HTMLSelectElement) unit.value = values['desiredDoseUnit'] ?? unit.value;
  }
}

/**
 * Errors of filled fields that the user has left (others may still be in progress), and of the solved value, which is not
 * typed.
 */
function errorsToShow({ errors }: CalculatorOutcome, form: HTMLFormElement, left: ReadonlySet<string>) {
  const filled = controls(form).filter(({ value }) => value !== '');
  const shown = new Set<string>(filled.map(keyOf).filter((key) => left.has(key)));
  shown.add(SOLVED_FIELD[solveForOf(new FormData(form))]);
  return Object.fromEntries(Object.entries(errors).filter(([name]) => shown.has(name)));
}

/**
 * The outcome of the form as it is, with the errors that may be shown while the user types.
 * @param left the fields that were left since the server's last response
 * @param hasLeft whether one was left just now
 * @param syringes the person's own
 */
export function computeTyped(
  form: HTMLFormElement,
  left: ReadonlySet<string>,
  hasLeft: boolean,
  syringes?: readonly OwnSyringe[],
): CalculatorOutcome {
  const next = computeLive(new FormData(form), syringes);
  takeUnits(form, next.values, hasLeft);
  return { result: next.result, errors: errorsToShow(next, form, left) };
}
