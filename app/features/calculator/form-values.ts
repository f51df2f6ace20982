import type { CalculatorValues } from './calculator-state.ts';

/** What a field holds when nothing was sent for it. */
const DEFAULTS: Readonly<Record<string, string>> = {
  solveFor: 'volume',
  syringe: 'u100-1ml',
  desiredDoseUnit: 'mg',
};

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function controls(form: HTMLFormElement): Control[] {
  return Array.from(form.elements).filter((element): element is Control =>
    element.matches('input:not([type=hidden]), select, textarea'),
  );
}

const expected = (control: Control, values: CalculatorValues) =>
  values[control.name] ?? DEFAULTS[control.name] ?? '';

const isRadio = (control: Control): control is HTMLInputElement => control.type === 'radio';

/** True when a field holds something else than the server sent: typed before scripts ran, or restored by the browser. */
export function differs(form: HTMLFormElement, values: CalculatorValues): boolean {
  return controls(form).some((control) =>
    isRadio(control)
      ? control.checked !== (control.value === expected(control, values))
      : control.value !== expected(control, values),
  );
}

/** Sets every field to what the server sent: after Clear, or a step back in the history. */
export function writeValues(form: HTMLFormElement, values: CalculatorValues): void {
  for (const control of controls(form)) {
    const value = expected(control, values);
    if (isRadio(control)) control.checked = control.value === value;
    else if (control.value !== value) control.value = value;
  }
}
