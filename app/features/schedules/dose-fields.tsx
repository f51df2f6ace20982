import type { Option } from '#app/ui/options.tsx';
import {
  CountField,
  errorAt,
  idOf,
  ScheduleField,
  ScheduleSelect,
  type FormState,
} from './schedule-controls.tsx';
import { describe, FieldError } from '#app/ui/field-shell.tsx';

const UNITS: readonly Option[] = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];

/** Amount and unit on one line. */
function DoseField({ values, errors }: FormState) {
  const id = idOf('doseAmount');
  const error = errorAt(errors, 'doseAmount') ?? errorAt(errors, 'doseUnit');
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        Dose
      </label>
      <div className="control control-figure">
        <input
          type="text"
          name="doseAmount"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={values.single.doseAmount}
          {...describe({ id, error })}
        />
        <select
          name="doseUnit"
          className="unit"
          aria-label="Unit of the dose"
          defaultValue={values.single.doseUnit}
        >
          {UNITS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {error ? <FieldError id={id} error={error} /> : null}
    </div>
  );
}

/** What is taken: name, dose, vial. */
export function WhatFields({ vials, ...state }: FormState & { vials: readonly Option[] }) {
  return (
    <section className="form-part" aria-labelledby="what-title">
      <h2 id="what-title">What</h2>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <ScheduleField {...state} name="name" label="Name" maxLength={100} autoComplete="off" />
        <DoseField {...state} />
      </div>
      {vials.length > 0 ? (
        <ScheduleSelect
          {...state}
          name="compoundId"
          label="Vial"
          options={[{ value: '', label: 'Any open vial of this name' }, ...vials]}
          hint="Doses draw from this vial first."
        />
      ) : null}
    </section>
  );
}

/** Doses that change over the weeks. */
export function RampFields(state: FormState) {
  return (
    <div className="grid gap-4">
      <p className="max-w-prose text-soft">
        The first dose holds until the first change, the last one stays. While this is filled in it takes the
        place of the dose above, in the same unit.
      </p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <CountField {...state} name="ramp.start" label="First dose" inputMode="decimal" />
        <CountField {...state} name="ramp.target" label="Last dose" inputMode="decimal" />
        <CountField
          {...state}
          name="ramp.step"
          label="Change"

          inputMode="text"
          hint="With a minus if the dose goes down."
        />
        <CountField {...state} name="ramp.everyWeeks" label="Every" unit="weeks" />
      </div>
    </div>
  );
}
