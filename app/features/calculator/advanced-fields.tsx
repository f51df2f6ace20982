import type { FieldErrors } from '#app/domain/errors.ts';
import { describe } from '#app/ui/field-shell.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Options } from '#app/ui/options.tsx';
import { firstError, type CalculatorValues } from './calculator-state.ts';
import { LedgerRow } from './ledger-row.tsx';
import { NumberRow } from './number-row.tsx';

const MARK_OPTIONS = [
  { value: '', label: 'as the syringe' },
  { value: '0.5', label: '0.5 unit' },
  { value: '1', label: '1 unit' },
  { value: '2', label: '2 units' },
];

/** Rarely needed: what the powder takes up, and how fine the syringe's marks are. Open when either is in use. */
export function AdvancedFields({ values, errors }: { values: CalculatorValues; errors: FieldErrors }) {
  const displacement = values['displacement'];
  const displacementError = firstError(errors, 'displacement');
  const markError = firstError(errors, 'mark');
  const inUse = Boolean((displacement && displacement !== '0') || values['mark']);
  return (
    <Disclosure summary="Advanced" open={inUse || Boolean(displacementError || markError)}>
      <NumberRow
        name="displacement"
        label="Powder displacement"
        unit="µl/mg"
        defaultValue={displacement}
        error={displacementError}
      />
      <LedgerRow id="mark" label="One mark is" error={markError}>
        <select name="mark" defaultValue={values['mark']} {...describe({ id: 'mark', error: markError })}>
          <Options options={MARK_OPTIONS} />
        </select>
      </LedgerRow>
      <p className="mt-2 text-sm text-soft">
        Powder displacement is what one mg of powder adds to the volume of the solution; 0 when left empty.
        The 0.3 ml barrel has marks of 0.5 or 1 unit, the 1 ml barrels of 1 or 2.
      </p>
    </Disclosure>
  );
}
