import { withSize } from '#app/domain/calculator/quick-sizes.ts';
import { useState, type FormEvent, type MouseEvent } from 'react';
import type { CalculationResult, OwnSyringe } from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { CALCULATION_FIELDS, parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { componentsText } from '#app/domain/calculator/components.ts';
import { ROWS_BUTTON, withRowsChanged } from '#app/domain/calculator/common-blends.ts';
import { OFFLINE_PATH } from '#app/offline/paths.ts';
import {
  Calculator,
  type BlendChoices,
  CommonBlends,
  ComponentRows,
  type CalculatorValues,
  type SaveState,
  computeLive,
} from '#app/features/calculator/index.ts';
import { Notice } from '#app/ui/notice.tsx';
import { queueEntry } from './use-store.ts';

export interface OfflineCalculatorProps {
  path: string;
  values: CalculatorValues;
  result: CalculationResult | null;
  errors: FieldErrors | null;
  blends: BlendChoices;
  /** The person's own, as this device knows them. */
  syringes?: readonly OwnSyringe[] | undefined;
}

const WRITTEN = 'Saved on this device. It will be sent when you are online.';
const INVALID = 'Complete the calculation before you save it.';
const FAILED = 'This device could not save the calculation. Its storage may be full.';

/** Saves the calculation on this device if it is valid. @returns the message to show */
async function save(form: FormData, syringes?: readonly OwnSyringe[]): Promise<string> {
  const { result } = computeLive(form, syringes);
  const parsed = parseCalculationForm(form, syringes);
  if (result === null || !parsed.ok) return INVALID;
  const { components, doseOf, peptideAmount } = parsed.input;
  // The outbox shows and sends plain text fields, so a blend is stored as one text.
  const blend =
    components === undefined ? {} : { components: componentsText(components), doseOf, peptideAmount };
  const filled = CALCULATION_FIELDS.flatMap((name) => {
    const text = String(form.get(name) ?? '').trim();
    return text === '' ? [] : [[name, text] as const];
  });
  const { doseOf: _row, ...typed } = Object.fromEntries(filled);
  const fields = { ...typed, ...blend };
  return queueEntry({ kind: 'calculation', about: result.summary, fields }).then(
    () => WRITTEN,
    () => FAILED,
  );
}

/** No errors while rows are being added: the form is not finished yet. */
const NO_ERRORS: FieldErrors = {};

const SAVE: SaveState = { kind: 'open', action: OFFLINE_PATH, cancelHref: OFFLINE_PATH, saveKey: '' };
const SIGN_IN: SaveState = {
  kind: 'signed-out',
  signInHref: '/login?redirectTo=%2Fdashboard%2Fcalculator',
  isOffline: true,
};

/** The calculator without a server: its form is never submitted, and "Save" stores the calculation on this device. */
export function OfflineCalculator({
  path,
  canSave,
  unsent,
  blends,
  ...calculator
}: OfflineCalculatorProps & { canSave: boolean; unsent: number }) {
  const [message, setMessage] = useState<string | null>(null);
  // Elsewhere the server adds and removes rows; here it is done in the browser.
  const [changed, setChanged] = useState<ReturnType<typeof computeLive> | null>(null);
  const changeRows = (form: HTMLFormElement, value: string) => {
    const fields = new URLSearchParams();
    for (const [name, text] of new FormData(form)) if (typeof text === 'string') fields.append(name, text);
    fields.set(ROWS_BUTTON, value);
    setChanged(computeLive(withSize(fields) ?? withRowsChanged(fields) ?? fields, calculator.syringes));
  };
  const submit = (event: FormEvent<HTMLDivElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    event.preventDefault();
    if (submitter instanceof HTMLButtonElement && submitter.name === ROWS_BUTTON) {
      if (event.target instanceof HTMLFormElement) changeRows(event.target, submitter.value);
      return;
    }
    const isSave = submitter instanceof HTMLButtonElement && submitter.formMethod === 'post';
    if (isSave && event.target instanceof HTMLFormElement)
      void save(new FormData(event.target), calculator.syringes).then(setMessage);
  };
  const follow = (event: MouseEvent<HTMLDivElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null) return;
    event.preventDefault();
    setMessage(null);
    setChanged(null);
    if (link.pathname !== OFFLINE_PATH) window.location.assign(link.href);
  };
  return (
    <div onSubmitCapture={submit} onClickCapture={follow}>
      {message === null || (message === WRITTEN && unsent === 0) ? null : (
        <Notice tone={message === WRITTEN ? 'success' : 'warning'} role="status">
          {message}
        </Notice>
      )}
      <Calculator
        action={path}
        Rows={ComponentRows}
        blends={<CommonBlends {...blends} />}
        {...calculator}
        {...(changed === null ? {} : { values: changed.values, result: changed.result, errors: NO_ERRORS })}
        save={canSave ? SAVE : SIGN_IN}
      />
    </div>
  );
}
