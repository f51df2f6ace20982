import { Form, type FormProps } from '@remix-run/react';
import type { RefAttributes } from 'react';
import type { SolveFor } from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { RadioGroup } from '#app/ui/choice.tsx';
import { FieldError } from '#app/ui/field-shell.tsx';
import { AdvancedFields } from './advanced-fields.tsx';
import { firstError, FORM_ID, type CalculatorValues } from './calculator-state.ts';
import { VialFields } from './vial-fields.tsx';
import { SOLVED_FIELD } from './solve-modes.ts';

const WAYS = [
  { value: 'volume', label: 'Draw' },
  { value: 'water', label: 'Water' },
  { value: 'dose', label: 'Dose' },
];

interface CalculatorFormProps {
  /** This page: the form is a GET of it, so a result is an address. */
  action: string;
  clearHref: string;
  values: CalculatorValues;
  errors: FieldErrors;
  /** What is being solved for: its own field is not on the page, its message is. */
  way: SolveFor;
  /** Whether the needed fields are filled. */
  filled: boolean;
  /** Scripts run: an unfilled form cannot be sent. Without them it can, and the server answers in words. */
  live: boolean;
  onClear: () => void;
  /** In save mode "Save Calculation" is the main action of the page, not "Calculate". */
  saving: boolean;
  /** Sent along, unseen. */
  keep?: Readonly<Record<string, string>>;
  handlers?: Pick<FormProps, 'onInput' | 'onBlur'> & RefAttributes<HTMLFormElement>;
}

function Kept({ fields = {} }: { fields?: Readonly<Record<string, string>> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

/** The inputs. "Calculate" comes first among the buttons, so that Enter means it. */
export function CalculatorForm({
  action,
  clearHref,
  values,
  errors,
  way,
  filled,
  live,
  onClear,
  saving,
  keep,
  handlers,
}: CalculatorFormProps) {
  const solvedError = firstError(errors, SOLVED_FIELD[way]);
  return (
    <Form
      id={FORM_ID}
      method="get"
      action={action}
      className="calculator-form"
      preventScrollReset
      {...handlers}
    >
      <Kept fields={saving ? { ...keep, mode: 'save' } : keep} />
      <fieldset className="sheet px-4 pt-1 pb-2">
        <legend className="sr-only">In the vial</legend>
        <h2 aria-hidden="true" className="hidden pt-3 pb-1 lg:block">
          In the vial
        </h2>
        <VialFields values={values} errors={errors} />
        {solvedError ? <FieldError id="solved" error={solvedError} /> : null}
        <div className="flex gap-3 pt-4">
          <Button
            variant={saving ? 'quiet' : 'primary'}
            className="flex-1"
            disabled={live && !filled}
            aria-describedby={filled ? undefined : 'calculate-hint'}
          >
            Calculate
          </Button>
          <LinkButton to={clearHref} onClick={onClear} preventScrollReset>
            Clear
          </LinkButton>
        </div>
        <p id="calculate-hint" className={filled ? 'invisible pt-2 text-sm' : 'pt-2 text-sm text-soft'}>
          Fill in all three fields to calculate.
        </p>
      </fieldset>
      <div className="pt-3">
        <RadioGroup
          inline
          legend="Solve for"
          name="solveFor"
          options={WAYS}
          defaultValue={values['solveFor'] ?? 'volume'}
        />
        <AdvancedFields values={values} errors={errors} />
      </div>
    </Form>
  );
}
