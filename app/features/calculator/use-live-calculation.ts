import { useCallback, useEffect, useMemo, useRef, useState, type FocusEvent, type FormEvent } from 'react';
import { useNavigationType } from '@remix-run/react';
import {
  AMOUNT_WITH_UNIT,
  controls,
  keyOf,
  type Control,
  type CalculatorValues,
  type CalculatorOutcome,
  isEmpty,
  isFilled,
  solveForOf,
} from './calculator-state.ts';
import type { OwnSyringe } from '#app/domain/calculator/calculation.ts';
import { MEANT_UNIT } from '#app/domain/units/meant-mcg.ts';

/** The values of fields that were not sent. */
const DEFAULTS: Readonly<Record<string, string>> = {
  solveFor: 'volume',
  syringe: 'u100-1ml',
  desiredDoseUnit: 'mg',
  doseOf: '1',
  form: 'powder',
  amountUnit: 'mg',
};

const expected = (control: Control, values: CalculatorValues) =>
  values[keyOf(control)] ?? DEFAULTS[control.name] ?? '';

const isRadio = (control: Control): control is HTMLInputElement => control.type === 'radio';

/** True if a field differs from what the server sent: typed before scripts ran, or restored by the browser. */
function differs(form: HTMLFormElement, values: CalculatorValues): boolean {
  return controls(form).some((control) =>
    isRadio(control)
      ? control.checked !== (control.value === expected(control, values))
      : control.value !== expected(control, values),
  );
}

/** Sets every field to what the server sent: after Clear, or a step back in the history. */
function writeValues(form: HTMLFormElement, values: CalculatorValues): void {
  for (const control of controls(form)) {
    const value = expected(control, values);
    if (isRadio(control)) control.checked = control.value === value;
    else if (control.value !== value) control.value = value;
  }
}

/** The name of the button that sent the form: '' for Calculate and Enter, `blend` for one that changes rows. */
function senderOf(event: FormEvent<HTMLFormElement>): string {
  const { submitter } = event.nativeEvent as SubmitEvent;
  return submitter instanceof HTMLButtonElement ? submitter.name : '';
}

/** Sets the unit that "Did you mean 250 mcg?" offers, without asking the server. @returns whether that was pressed */
function takeMeantUnit(event: FormEvent<HTMLFormElement>): boolean {
  const { submitter } = event.nativeEvent as SubmitEvent;
  const unit = event.currentTarget.elements.namedItem('desiredDoseUnit');
  if (senderOf(event) !== MEANT_UNIT || !(unit instanceof HTMLSelectElement)) return false;
  event.preventDefault();
  unit.value = (submitter as HTMLButtonElement).value;
  return true;
}

/** A dose is measured like its container: choosing IU chooses them for the dose, too. */
function followMeasure({ target, currentTarget }: FormEvent<HTMLFormElement>): void {
  if (!(target instanceof HTMLInputElement) || target.name !== 'amountUnit') return;
  const unit = currentTarget.elements.namedItem('desiredDoseUnit');
  if (unit instanceof HTMLSelectElement && (unit.value === 'IU') !== (target.value === 'IU'))
    unit.value = target.value;
}

/**
 * Tracks what happens between Calculate and its response: `isTypedSince` says whether something was typed in the
 * meantime, unless the response belongs to a step in the browser's history.
 */
function useCalculatePress() {
  const state = useRef<'none' | 'sent' | 'typed since'>('none');
  const isHistory = useNavigationType() === 'POP';
  return useMemo(
    () => ({
      send: (isCalculate: boolean) => {
        state.current = isCalculate ? 'sent' : 'none';
      },
      type: () => {
        if (state.current === 'sent') state.current = 'typed since';
      },
      isTypedSince: () => state.current === 'typed since' && !isHistory,
      forget: () => {
        state.current = 'none';
      },
    }),
    [isHistory],
  );
}

/** The current state of the fields: whether they are filled, and the mode; `live` once scripts have read them. */
function useLookOfForm(values: CalculatorValues) {
  const [filled, setFilled] = useState<boolean | null>(null);
  const [empty, setEmpty] = useState(() => isEmpty(values));
  const [way, setWay] = useState(() => solveForOf(values));
  const lookAtForm = useCallback((element: HTMLFormElement) => {
    const data = new FormData(element);
    setFilled(isFilled(data));
    setEmpty(isEmpty(data));
    setWay(solveForOf(data));
  }, []);
  return { filled: filled ?? isFilled(values), live: filled !== null, empty, way, lookAtForm };
}

/**
 * Recalculates while the user types, by the server's own rules. Input from before scripts ran is kept, and so is input
 * made after Calculate while its response was on the way. Any other new response of the server (with different `values`)
 * replaces the contents of the fields; a page that only shows or hides something next to the form leaves them alone.
 * `live` says that scripts are running, `empty` that no number has been entered.
 */
export function useLiveCalculation(
  values: CalculatorValues,
  answer: CalculatorOutcome,
  syringes?: readonly OwnSyringe[],
) {
  const form = useRef<HTMLFormElement>(null);
  const left = useRef(new Set<string>());
  const answered = useRef<string | null>(null);
  const calculate = useCalculatePress();
  const [outcome, setOutcome] = useState(answer);
  const { lookAtForm, ...look } = useLookOfForm(values);

  const recompute = useCallback(
    async (hasLeft = false) => {
      if (!form.current) return;
      lookAtForm(form.current);
      const { computeTyped } = await import('./live-compute.ts');
      if (form.current) setOutcome(computeTyped(form.current, left.current, hasLeft, syringes));
    },
    [lookAtForm, syringes],
  );

  useEffect(() => {
    const key = JSON.stringify(values);
    if (!form.current || answered.current === key) return;
    const isTyped = answered.current === null || calculate.isTypedSince();
    answered.current = key;
    calculate.forget();
    if (isTyped && differs(form.current, values)) {
      void recompute();
      return;
    }
    writeValues(form.current, values);
    left.current.clear();
    setOutcome(answer);
    lookAtForm(form.current);
  }, [answer, values, calculate, recompute, lookAtForm]);

  const clear = () => {
    if (!form.current) return;
    writeValues(form.current, {});
    left.current.clear();
    answered.current = '';
    calculate.forget();
    setOutcome({ result: null, errors: {} });
    lookAtForm(form.current);
  };

  const leave = (event: FocusEvent<HTMLFormElement>) => {
    const control = form.current && controls(form.current).find((one) => one.id === event.target.id);
    const key = control?.name && keyOf(control);
    if (!key || (left.current.has(key) && !AMOUNT_WITH_UNIT.test(control.value))) return;
    left.current.add(key);
    void recompute(true);
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (takeMeantUnit(event)) void recompute();
    else calculate.send(senderOf(event) === '');
  };

  const type = (event: FormEvent<HTMLFormElement>) => {
    followMeasure(event);
    calculate.type();
    void recompute();
  };

  const handlers = { ref: form, onInput: type, onBlur: leave, onSubmit: submit };
  return { outcome, ...look, clear, handlers };
}
