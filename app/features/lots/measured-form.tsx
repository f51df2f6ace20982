import { Form } from '@remix-run/react';
import type { MeasuredVialTexts } from '#app/domain/lots/lot-texts.ts';
import { DOSE_UNIT_CHOICES, substanceUnitOf } from '#app/domain/calculator/calculation.ts';
import { Button } from '#app/ui/button.tsx';
import { Select, NumberField } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';

/** Opens the calculator with the measured content in place of the printed amount. */
export function MeasuredForm({ vial, unit }: { vial: MeasuredVialTexts; unit: string }) {
  const { name, printedMg, measuredMg, difference, waterMl, displacement } = vial;
  return (
    <section aria-labelledby="measured-title" className="sheet no-print grid content-start gap-4 p-5">
      <h2 id="measured-title">Calculate with the measured content</h2>
      <p>
        <Measured
          text={`Measured: ${measuredMg} ${vial.unit}. Printed: ${printedMg} ${vial.unit}. That is ${difference}.`}
        />
      </p>
      <Form method="get" action="/dashboard/calculator" className="grid gap-4">
        <input type="hidden" name="peptideName" value={name} />
        {vial.unit === 'IU' ? <input type="hidden" name="amountUnit" value="IU" /> : null}
        <input type="hidden" name="peptideAmount" value={printedMg} />
        <input type="hidden" name="measuredAmount" value={measuredMg} />
        {displacement === null ? null : <input type="hidden" name="displacement" value={displacement} />}
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
          <NumberField
            id="measured-water"
            name="waterVolume"
            label="Water added"
            unit="ml"
            defaultValue={waterMl ?? undefined}
          />
          <NumberField id="measured-dose" name="desiredDose" label="Desired dose" />
          <Select
            id="measured-unit"
            name="desiredDoseUnit"
            label="Dose unit"
            options={DOSE_UNIT_CHOICES.filter(({ value }) => substanceUnitOf(value) === vial.unit)}
            defaultValue={unit}
          />
        </div>
        <div>
          <Button>Calculate</Button>
        </div>
      </Form>
    </section>
  );
}
