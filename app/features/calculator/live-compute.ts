import { calculate } from '#app/domain/calculator/calculate.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import type { CalculatorOutcome, CalculatorValues } from './calculator-state.ts';

/** The server's own two steps, run in the browser. Fetched at the first keystroke, not with the page. */
export function computeLive(
  form: FormData | URLSearchParams,
): CalculatorOutcome & { values: CalculatorValues } {
  const parsed = parseCalculationForm(form);
  const { values } = parsed;
  return parsed.ok
    ? { result: calculate(parsed.input), errors: {}, values }
    : { result: null, errors: parsed.fields, values };
}
