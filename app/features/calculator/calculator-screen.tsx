import { lazy, Suspense } from 'react';
import { Link } from '@remix-run/react';
import type { DosageRecommendation } from '#app/domain/calculator/research-reference.ts';
import { NO_REFERENCE, RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Figure } from '#app/ui/figure.tsx';
import { Button } from '#app/ui/button.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Field, FieldError, NumberField } from '#app/ui/fields.tsx';
import { ROW, SubstanceUnit, type FilledRows } from './calculator-form.tsx';
import type { CalculationResult, OwnSyringe } from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { firstError, type BlendChoices, type CalculatorValues, type SaveState } from './calculator-state.ts';
import { Calculator } from './calculator.tsx';
import type { Example } from './result-panel.tsx';

/** Loaded only when opened. */
const ResearchDosages = lazy(() =>
  import('./research-dosages.tsx').then((module) => ({ default: module.ResearchDosagesDialog })),
);

export interface CalculatorScreenProps {
  /** The path of the page, which the form loads with a GET. */
  path: string;
  values: CalculatorValues;
  result: CalculationResult | null;
  errors: FieldErrors | null;
  blends: BlendChoices;
  syringes: readonly OwnSyringe[];
  /** Other URL parameters that Calculate must keep. */
  keep: Readonly<Record<string, string>>;
  save: SaveState;
  /** The form that saves the result as a vial; only when signed in. */
  vialHref?: string;
  example?: Example;
  dosages: { shown: boolean; href: string; closeHref: string };
  ladderHref: string;
  recommendations: {
    shown: boolean;
    href: string;
    name: string;
    rows: readonly DosageRecommendation[];
    choices: readonly ReferenceChoice[];
  };
}

/** The calculator with research dosages and recommendations, for the public page and the dashboard. */
export function CalculatorScreen({
  path,
  dosages,
  ladderHref,
  recommendations,
  blends,
  ...calculator
}: CalculatorScreenProps) {
  return (
    <>
      <Calculator
        action={path}
        Rows={ComponentRows}
        ladder={
          <Link to={ladderHref} className="inline-flex min-h-11 items-center">
            Find water for several doses
          </Link>
        }
        blends={<CommonBlends {...blends} />}
        {...calculator}
      />
      <ReferencePanel {...recommendations} dosagesHref={dosages.href} />
      {dosages.shown ? (
        <Suspense fallback={null}>
          <ResearchDosages closeHref={dosages.closeHref} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Adds, removes or fills in rows. The server responds with the changed form. */
function RowsButton({ value, children }: { value: string; children: string }) {
  return (
    <Button name="blend" value={value} className="text-sm">
      {children}
    </Button>
  );
}

/** The peptides of a blend, one row each. */
export function ComponentRows({ values, errors }: FilledRows) {
  const rows = Object.keys(values).filter((key) => key.startsWith('componentName-'));
  const doseError = firstError(errors, 'doseOf');
  return (
    <div id="doseOf" tabIndex={-1}>
      {rows.map((id, at) => {
        const amount = id.replace('Name', 'Amount');
        const n = at + 1;
        return (
          <div key={id} className="border-b border-line pb-2">
            <Field
              id={id}
              name="componentName"
              look="row"
              label={`Peptide ${n}`}
              autoComplete="off"
              defaultValue={values[id]}
              error={firstError(errors, id)}
            />
            <NumberField
              {...ROW}
              id={amount}
              name="componentAmount"
              defaultValue={values[amount]}
              error={firstError(errors, amount)}
              label={`Amount ${n}`}
              unit={<SubstanceUnit />}
            />
            <div className="flex justify-between gap-3">
              <label className="choice">
                <input
                  type="radio"
                  name="doseOf"
                  value={n}
                  defaultChecked={(values['doseOf'] ?? '1') === String(n)}
                />
                {`Dose is for peptide ${n}`}
              </label>
              <RowsButton value={`remove-${n}`}>{`Remove ${n}`}</RowsButton>
            </div>
          </div>
        );
      })}
      {doseError ? <FieldError id="doseOf" error={doseError} /> : null}
      {rows.length < 6 ? (
        <p className="py-2">
          <RowsButton value="add">Add a peptide</RowsButton>
        </p>
      ) : null}
    </div>
  );
}

/** For a vial with more than one peptide: adds empty rows, or the rows of a common blend. */
export function CommonBlends({ source, choices }: BlendChoices) {
  return (
    <Disclosure summary="Blend">
      <div className="flex flex-wrap gap-2">
        <RowsButton value="add">Add a peptide</RowsButton>
        {choices.map(({ id, label }) => (
          <RowsButton key={id} value={id}>
            {label}
          </RowsButton>
        ))}
      </div>
      <p className="mt-2 text-sm text-soft">{`Typical amounts; change them to match your label. Source: ${source}.`}</p>
    </Disclosure>
  );
}

interface ReferenceChoice {
  name: string;
  href: string;
}

interface ReferencePanelProps {
  /** Whether the recommendations are shown. */
  shown: boolean;
  /** This page with them shown, or hidden when they are shown. */
  href: string;
  /** Opens the research-dosages dialog over this page. */
  dosagesHref: string;
  /** The name looked up; empty when none was typed or chosen. */
  name: string;
  rows: readonly DosageRecommendation[];
  /** Names that have a reference, as links to this page with that name looked up. */
  choices: readonly ReferenceChoice[];
}

const LINK = 'inline-flex min-h-11 items-center';

/** All that is published about doses, as a reference and not as advice: the research table, and the doses for a name. */
export function ReferencePanel({ shown, href, dosagesHref, name, rows, choices }: ReferencePanelProps) {
  return (
    <section aria-labelledby="reference-title" className={`sheet mt-4 px-4 py-2${shown ? '' : ' no-print'}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <h2 id="reference-title" className="min-w-0 wrap-anywhere">
          {shown && name ? `Dosage reference: ${name}` : 'Dosage reference'}
        </h2>
        <div className="no-print flex flex-wrap gap-x-4">
          <Link to={dosagesHref} preventScrollReset className={LINK}>
            Research dosages
          </Link>
          <Link
            to={href}
            preventScrollReset
            className={LINK}
            aria-expanded={shown}
            aria-controls={shown ? 'recommendations' : undefined}
          >
            {shown ? 'Hide recommendations' : 'Show recommendations'}
          </Link>
        </div>
      </div>
      {shown ? (
        <div id="recommendations">
          <p className="mt-1 text-sm text-soft">{RESEARCH_NOTICE}</p>
          <ul className="my-2 flex flex-wrap gap-x-5">
            {choices.map((choice) => (
              <li key={choice.name}>
                <Link
                  to={choice.href}
                  preventScrollReset
                  className={LINK}
                  aria-current={choice.name.toLowerCase() === name.toLowerCase() ? 'true' : undefined}
                >
                  {choice.name}
                </Link>
              </li>
            ))}
          </ul>
          {rows.length > 0 ? (
            <ul>
              {rows.map((row) => (
                <li key={row.category} className="entry grid gap-1 border-t border-line py-3">
                  <p className="flex flex-wrap items-baseline gap-x-3">
                    <Badge tone="soft">{row.category}</Badge>
                    <Figure value={row.dosageRange} className="font-semibold" />
                    {row.frequency === 'not stated' ? (
                      <span className="text-soft">frequency not stated</span>
                    ) : (
                      <span>{row.frequency}</span>
                    )}
                  </p>
                  {row.misfit ? <p>{row.misfit}</p> : null}
                  {row.injectionVolume ? (
                    <p>
                      At this concentration: <Figure value={row.injectionVolume} />{' '}
                      {row.units ? <Figure value={`(${row.units} units)`} /> : null}
                    </p>
                  ) : null}
                  <p className="text-sm text-soft">
                    {row.notes ? `${row.notes}. ` : null}
                    {`Source: ${row.source}.`}
                  </p>
                </li>
              ))}
            </ul>
          ) : (
            <p>{NO_REFERENCE}</p>
          )}
        </div>
      ) : null}
    </section>
  );
}
