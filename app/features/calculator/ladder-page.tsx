import { Form, Link } from '@remix-run/react';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { NumberField, Options, Select } from '#app/ui/fields.tsx';
import { Figure, Measured } from '#app/ui/figure.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import type { LadderView } from './ladder-pages.server.ts';

/** Doses that are not folded. */
const FIRST_DOSES = 6;

/** Finds the water that puts every dose of a titration on a mark: a plain form, and at most three answers. */
export function LadderPage({ calculatorHref, answer, ...form }: LadderView) {
  return (
    <>
      <PageTitle
        actions={
          <Link to={calculatorHref} className="inline-flex min-h-11 items-center">
            Calculator
          </Link>
        }
      >
        Water for several doses
      </PageTitle>
      {/* A new address fills in its values. */}
      <LadderForm key={JSON.stringify(form.values)} {...form} />
      {answer ? <Answer {...answer} /> : null}
    </>
  );
}

function LadderForm({ path, values, options, errors }: Omit<LadderView, 'calculatorHref' | 'answer'>) {
  const numbers = values.doses.map((_, at) => at + 1);
  const dose = (number: number) => (
    <NumberField
      key={number}
      id={`dose-${number}`}
      name="dose"
      label={`Dose ${number}`}
      defaultValue={values.doses[number - 1]}
      error={errors[`dose-${number}`]?.[0]}
    />
  );
  const grid = 'grid grid-cols-2 gap-3 sm:grid-cols-3';
  const { amountUnit, ...shown } = errors;
  return (
    <Form method="get" action={`${path}#answer`} className="sheet grid max-w-2xl gap-4 p-4">
      <ErrorSummary errors={amountUnit} fields={fieldsToFix(shown, undefined, nameOf)} />
      <NumberField
        name="peptideAmount"
        label="Peptide amount"
        unitSelect={
          <select
            name="amountUnit"
            aria-label="Unit of the amount"
            className="unit"
            defaultValue={values.amountUnit}
          >
            <Options options={options.amountUnits} />
          </select>
        }
        defaultValue={values.peptideAmount}
        error={errors['peptideAmount']?.[0]}
      />
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-semibold">Doses of the titration</legend>
        <div className={grid}>{numbers.slice(0, FIRST_DOSES).map(dose)}</div>
        <Disclosure summary="More doses" open={values.doses.slice(FIRST_DOSES).some((text) => text !== '')}>
          <div className={grid}>{numbers.slice(FIRST_DOSES).map(dose)}</div>
        </Disclosure>
      </fieldset>
      <div className={grid}>
        <Select
          name="desiredDoseUnit"
          label="Dose unit"
          options={options.doseUnits}
          defaultValue={values.desiredDoseUnit}
          error={errors['desiredDoseUnit']?.[0]}
        />
        <Select
          name="syringe"
          label="Syringe"
          options={options.syringes}
          defaultValue={values.syringe}
          error={errors['syringe']?.[0]}
        />
        <NumberField
          name="capacityMl"
          label="The vial holds"
          unit="ml"
          defaultValue={values.capacityMl}
          error={errors['capacityMl']?.[0]}
        />
      </div>
      <div className="flex gap-3">
        <Button variant="primary" className="flex-1">
          Find the water
        </Button>
        <LinkButton to={path}>Clear</LinkButton>
      </div>
    </Form>
  );
}

/** "Dose 2" for `dose-2`. */
const nameOf = (name: string): string =>
  name === 'capacityMl'
    ? 'The vial holds'
    : `${name.charAt(0).toUpperCase()}${name.slice(1).replace('-', ' ')}`;

function Answer({ sentence, exact, choices }: NonNullable<LadderView['answer']>) {
  return (
    <section id="answer" aria-labelledby="answer-title" className="mt-6 grid max-w-2xl gap-4">
      <h2 id="answer-title">Water to add</h2>
      <Notice tone={exact ? 'success' : 'warning'} role="note">
        <Measured text={sentence} />
      </Notice>
      {choices.map(({ water, rows, useHref, planHref }) => (
        <article key={water} aria-labelledby={`water-${water}`} className="sheet grid gap-3 p-4">
          <h3 id={`water-${water}`}>
            <Figure value={water} unit="ml" className="text-2xl" /> of water
          </h3>
          <DataTable
            caption={`Doses with ${water} ml of water`}
            rows={rows}
            rowKey={({ key }) => key}
            fixed
            columns={[
              { key: 'dose', label: 'Dose', cell: ({ dose }) => <Measured text={dose} /> },
              {
                key: 'draw',
                label: 'Draw',
                cell: ({ draw, volume }) => (
                  <>
                    <Figure value={draw} className="font-semibold" />
                    <span className="block text-sm text-soft">
                      <Figure value={volume} />
                    </span>
                  </>
                ),
              },
              { key: 'off', label: 'Off the dose', numeric: true, cell: ({ off }) => off },
            ]}
          />
          <div className="no-print flex flex-wrap gap-3">
            <LinkButton to={useHref}>Use this water</LinkButton>
            {planHref ? <LinkButton to={planHref}>Make this the plan</LinkButton> : null}
          </div>
        </article>
      ))}
    </section>
  );
}
