import { Link } from '@remix-run/react';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { firstError, FORM_ID, type CalculatorValues, type SaveState } from './calculator-state.ts';

export const SAVE_ID = 'save';

interface SaveFieldsProps extends Omit<Extract<SaveState, { kind: 'open' }>, 'kind'> {
  values: CalculatorValues;
  errors: FieldErrors;
}

/** Save mode: a name and notes, and the one button that saves. Its controls belong to the form on the left. */
export function SaveFields({ action, cancelHref, saveKey, values, errors }: SaveFieldsProps) {
  const field = (name: string) => ({
    name,
    form: FORM_ID,
    defaultValue: values[name],
    error: firstError(errors, name),
  });
  return (
    <fieldset id={SAVE_ID} className="grid scroll-mt-4 gap-4 border-t border-line pt-4">
      <legend className="sr-only">Save this calculation</legend>
      <input type="hidden" name="saveKey" value={saveKey} form={FORM_ID} />
      <Field
        {...field('peptideName')}
        label="Peptide name"
        hint="Optional. You find it in the history by this name."
      />
      <TextArea {...field('notes')} label="Notes" />
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" form={FORM_ID} formMethod="post" formAction={action}>
          Save Calculation
        </Button>
        <LinkButton to={cancelHref} variant="plain">
          Cancel
        </LinkButton>
      </div>
    </fieldset>
  );
}

interface ResultActionsProps {
  summary: string;
  save: SaveState;
  /** This calculator's own address: asking for save mode is a GET of it that keeps what was typed. */
  action: string;
  /** The form of a new vial, which reads the calculator's own fields from its address. */
  vialHref?: string;
}

/** What can be done with a result. */
export function ResultActions({ summary, save, action, vialHref }: ResultActionsProps) {
  return (
    <div className="no-print flex flex-wrap items-center gap-3 empty:hidden">
      {save.kind === 'offer' ? (
        <Button form={FORM_ID} name="mode" value="save" formAction={`${save.action ?? action}#${SAVE_ID}`}>
          Save Calculation
        </Button>
      ) : null}
      <CopyButton text={summary} />
      {vialHref ? (
        <Button form={FORM_ID} formAction={vialHref}>
          Save as vial
        </Button>
      ) : null}
      {save.kind === 'signed-out' ? (
        <p className="text-sm">
          <Link to={save.signInHref} className="inline-flex min-h-11 items-center">
            Sign in to save this calculation
          </Link>
        </p>
      ) : null}
    </div>
  );
}
