import { useState, type FormEvent, type MouseEvent } from 'react';
import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { CALCULATION_FIELDS } from '#app/domain/calculator/calculation-schema.ts';
import { OFFLINE_PATH } from '#app/offline/paths.ts';
import {
  Calculator,
  type CalculatorValues,
  type SaveState,
  computeLive,
} from '#app/features/calculator/index.ts';
import { Notice } from '#app/ui/notice.tsx';
import { writeDown } from './save-entry.ts';

export interface OfflineCalculatorProps {
  path: string;
  values: CalculatorValues;
  result: CalculationResult | null;
  errors: FieldErrors | null;
}

const WRITTEN = 'Written down. It is sent as soon as there is a connection.';
const INVALID = 'Fill in the calculation first; then it can be saved.';
const FAILED = 'This device could not keep the calculation: it may be out of room.';

/** Keeps a calculation that is valid. @returns what to say */
async function save(form: FormData): Promise<string> {
  const { result } = computeLive(form);
  if (result === null) return INVALID;
  const filled = CALCULATION_FIELDS.flatMap((name) => {
    const text = String(form.get(name) ?? '').trim();
    return text === '' ? [] : [[name, text] as const];
  });
  const fields = Object.fromEntries(filled);
  return writeDown({ kind: 'calculation', about: result.summary, fields }).then(
    () => WRITTEN,
    () => FAILED,
  );
}

const SAVE: SaveState = { kind: 'open', action: OFFLINE_PATH, cancelHref: OFFLINE_PATH, saveKey: '' };
const SIGN_IN: SaveState = {
  kind: 'signed-out',
  signInHref: '/login?redirectTo=%2Fdashboard%2Fcalculator',
};

/** The calculator, which asks no server: with scripts its form is never sent, and "Save" writes down on this device. */
export function OfflineCalculator({
  path,
  canSave,
  ...calculator
}: OfflineCalculatorProps & { canSave: boolean }) {
  const [said, setSaid] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLDivElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    event.preventDefault();
    const isSave = submitter instanceof HTMLButtonElement && submitter.formMethod === 'post';
    if (isSave && event.target instanceof HTMLFormElement)
      void save(new FormData(event.target)).then(setSaid);
  };
  const follow = (event: MouseEvent<HTMLDivElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null) return;
    event.preventDefault();
    setSaid(null);
    if (link.pathname !== OFFLINE_PATH) window.location.assign(link.href);
  };
  return (
    <div onSubmitCapture={submit} onClickCapture={follow}>
      {said === null ? null : (
        <Notice tone={said === WRITTEN ? 'success' : 'warning'} role="status">
          {said}
        </Notice>
      )}
      <Calculator action={path} {...calculator} save={canSave ? SAVE : SIGN_IN} />
    </div>
  );
}
