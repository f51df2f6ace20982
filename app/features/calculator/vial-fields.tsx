import { SYRINGE_IDS, SYRINGES, DEFAULT_SYRINGE } from '#app/domain/calculator/syringes.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { describe } from '#app/ui/field-shell.tsx';
import { Options } from '#app/ui/options.tsx';
import { firstError, type CalculatorValues } from './calculator-state.ts';
import { LedgerRow } from './ledger-row.tsx';
import { NumberRow } from './number-row.tsx';

const SYRINGE_OPTIONS = SYRINGE_IDS.map((id) => ({ value: id, label: SYRINGES[id].label }));
const DOSE_UNIT_OPTIONS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];

function DoseUnit({ defaultValue }: { defaultValue?: string }) {
  return (
    <select name="desiredDoseUnit" aria-label="Dose unit" className="unit" defaultValue={defaultValue}>
      <Options options={DOSE_UNIT_OPTIONS} />
    </select>
  );
}

/** What is in the vial and what is wanted from it. The `for-…` classes hide what the chosen way does not read. */
export function VialFields({ values, errors }: { values: CalculatorValues; errors: FieldErrors }) {
  const field = (name: string) => ({ name, defaultValue: values[name], error: firstError(errors, name) });
  const syringeError = firstError(errors, 'syringe');
  return (
    <>
      <NumberRow {...field('peptideAmount')} label="Peptide amount" unit="mg" />
      <NumberRow {...field('waterVolume')} label="Water volume" unit="ml" className="for-volume for-dose" />
      <NumberRow
        {...field('desiredDose')}
        error={firstError(errors, 'desiredDose') ?? firstError(errors, 'desiredDoseUnit')}
        label="Desired dose"
        unitSelect={<DoseUnit defaultValue={values['desiredDoseUnit']} />}
        className="for-volume for-water"
      />
      <NumberRow {...field('drawVolume')} label="Draw volume" unit="ml" className="for-water for-dose" />
      <LedgerRow id="syringe" label="Syringe" error={syringeError}>
        <select
          name="syringe"
          defaultValue={values['syringe'] ?? DEFAULT_SYRINGE}
          {...describe({ id: 'syringe', error: syringeError })}
        >
          <Options options={SYRINGE_OPTIONS} />
        </select>
      </LedgerRow>
    </>
  );
}
