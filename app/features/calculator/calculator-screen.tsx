import { lazy, Suspense } from 'react';
import { Link } from '@remix-run/react';
import type { DosageRecommendation } from '#app/domain/calculator/research-reference.ts';
import { NO_REFERENCE, RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Figure } from '#app/ui/figure.tsx';
import { Button } from '#app/ui/button.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Field, FieldError, NumberField } from '#app/ui/fields.tsx';
import { ROW, type FilledRows } from './calculator-form.tsx';
import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
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
  /** Other URL parameters that Calculate must keep. */
  keep: Readonly<Record<string, string>>;
  save: SaveState;
  /** The form that saves the result as a vial; only when signed in. */
  vialHref?: string;
  example?: Example;
  dosages: { shown: boolean; href: string; closeHref: string };
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
  recommendations,
  blends,
  ...calculator
}: CalculatorScreenProps) {
  return (
    <>
      <Calculator action={path} Rows={ComponentRows} blends={<CommonBlends {...blends} />} {...calculator}>
        <CalculatorLinks
          dosagesHref={dosages.href}
          recommendationsHref={recommendations.href}
          recommendationsShown={recommendations.shown}
        />
      </Calculator>
      {recommendations.shown ? <RecommendationsPanel {...recommendations} /> : null}
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
              unit="mg"
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

interface CalculatorLinksProps {
  /** Opens the research-dosages dialog over this page. */
  dosagesHref: string;
  /** This page with the recommendations panel shown, or hidden when it is shown. */
  recommendationsHref: string;
  recommendationsShown: boolean;
}

/** Two links below the inputs that change only the URL. */
export function CalculatorLinks({
  dosagesHref,
  recommendationsHref,
  recommendationsShown,
}: CalculatorLinksProps) {
  const link = 'inline-flex min-h-11 items-center';
  return (
    <div className="flex flex-wrap gap-x-6">
      <Link to={dosagesHref} preventScrollReset className={link}>
        Research dosages
      </Link>
      <Link
        to={recommendationsHref}
        preventScrollReset
        className={link}
        aria-expanded={recommendationsShown}
        aria-controls={recommendationsShown ? 'recommendations' : undefined}
      >
        {recommendationsShown ? 'Hide recommendations' : 'Show recommendations'}
      </Link>
    </div>
  );
}

interface ReferenceChoice {
  name: string;
  href: string;
}

interface RecommendationsPanelProps {
  /** The name looked up; empty when none was typed or chosen. */
  name: string;
  rows: readonly DosageRecommendation[];
  /** Names that have a reference, as links to this page with that name looked up. */
  choices: readonly ReferenceChoice[];
}

function Row({ row }: { row: DosageRecommendation }) {
  return (
    <li className="entry grid gap-1 border-t border-line py-3">
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
          At this concentration: <Figure value={row.injectionVolume} className="text-pen" />{' '}
          {row.units ? <Figure value={`(${row.units} units)`} className="text-pen" /> : null}
        </p>
      ) : null}
      <p className="text-sm text-soft">
        {row.notes ? `${row.notes}. ` : null}
        {`Source: ${row.source}.`}
      </p>
    </li>
  );
}

/** The published doses for a name, by category, each with its source; a reference, not advice. */
export function RecommendationsPanel({ name, rows, choices }: RecommendationsPanelProps) {
  return (
    <section aria-labelledby="recommendations-title" id="recommendations" className="sheet mt-4 p-4">
      <h2 id="recommendations-title">{name ? `Dosage reference: ${name}` : 'Dosage reference'}</h2>
      <p className="mt-1 text-sm text-soft">{RESEARCH_NOTICE}</p>
      <ul className="my-2 flex flex-wrap gap-x-5">
        {choices.map((choice) => (
          <li key={choice.name}>
            <Link
              to={choice.href}
              preventScrollReset
              className="inline-flex min-h-11 items-center"
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
            <Row key={row.category} row={row} />
          ))}
        </ul>
      ) : (
        <p>{NO_REFERENCE}</p>
      )}
    </section>
  );
}
