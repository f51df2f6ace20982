import { Form } from '@remix-run/react';
import { SYRINGE_IDS, SYRINGES } from '#app/domain/calculator/syringes.ts';
import type { DoseOfVial } from '#app/domain/vials/vial-texts.ts';
import { NumberField } from '#app/ui/number-field.tsx';
import { Button } from '#app/ui/button.tsx';
import { Select } from '#app/ui/field.tsx';
import { Figure } from '#app/ui/statistic.tsx';

export interface DrawQuestion {
  dose: string;
  unit: string;
  syringe: string;
  error: string | null;
  answer: DoseOfVial | null;
}

const UNITS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];
const SYRINGE_OPTIONS = SYRINGE_IDS.map((id) => ({ value: id, label: SYRINGES[id].label }));

function Answer({ answer }: { answer: DoseOfVial }) {
  return (
    <div className="grid gap-3" role="status">
      {answer.ml && answer.units ? (
        <p className="headline">
          <Figure value={answer.units} unit={answer.units === '1' ? 'unit' : 'units'} />
          <Figure value={answer.ml} unit="ml" className="headline-second" />
        </p>
      ) : (
        <p>The strength of this vial is not known: note the water that was added.</p>
      )}
      <dl className="vial-facts">
        <div>
          <dt>Doses left</dt>
          <dd>
            <Figure value={answer.dosesLeft} />
          </dd>
        </div>
        <div>
          <dt>Cost per dose</dt>
          <dd>{answer.cost ? <Figure value={answer.cost} /> : 'Unknown: what you paid is not noted'}</dd>
        </div>
      </dl>
    </div>
  );
}

/** What to draw from this vial for a dose. A plain GET of the vial's page. */
export function DrawBlock({ action, question }: { action: string; question: DrawQuestion }) {
  const { dose, unit, syringe, error, answer } = question;
  return (
    <section aria-labelledby="draw-title" id="draw" className="sheet grid scroll-mt-4 gap-4 p-5">
      <h2 id="draw-title">What to draw</h2>
      <Form method="get" action={`${action}#draw`} preventScrollReset className="draw-form no-print">
        <NumberField
          key={`dose ${dose}`}
          name="dose"
          label="Dose"
          defaultValue={dose}
          error={error ?? undefined}
        />
        <Select key={`unit ${unit}`} name="unit" label="Unit" options={UNITS} defaultValue={unit} />
        <Select
          key={`syringe ${syringe}`}
          name="syringe"
          label="Syringe"
          options={SYRINGE_OPTIONS}
          defaultValue={syringe}
        />
        <Button>Show</Button>
      </Form>
      {answer ? <Answer answer={answer} /> : null}
    </section>
  );
}
