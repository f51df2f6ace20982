import { Form, Link } from '@remix-run/react';
import { SYRINGE_IDS, SYRINGES } from '#app/domain/calculator/calculation.ts';
import type { DoseOfVial, LedgerRow, VialDetail } from '#app/domain/vials/vial-texts.ts';
import { NumberField, Select } from '#app/ui/fields.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { DrawHeadline } from '#app/ui/draw-headline.tsx';
import { Figure } from '#app/ui/figure.tsx';
import type { ForecastText } from '#app/domain/vials/forecast-texts.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { CeilingPanel, type ShownCeiling } from '#app/features/amounts/index.ts';
import type { MeasuredVialTexts } from '#app/domain/lots/lot-texts.ts';
import { MeasuredForm } from '#app/features/lots/index.ts';
import { RemainingBar, VialBadges } from './vial-state.tsx';

interface VialViewProps {
  vial: VialDetail;
  hiddenEntries: number;
  forecast: ForecastText | null;
  draw: DrawQuestion;
  ceiling: ShownCeiling | null;
  /** The amounts measured in its lot's certificate; null if there are none. */
  measured: MeasuredVialTexts | null;
  doseUnit: string;
}

/** The page of a vial: contents, draw for a dose, forecast, and ledger. */
export function VialView(props: VialViewProps) {
  const { vial, hiddenEntries, forecast, draw, ceiling, measured, doseUnit } = props;
  const path = `/dashboard/vials/${vial.id}`;
  return (
    <>
      <Steps vial={vial} />
      <div className="vial-panels">
        <Contents vial={vial} />
        <div className="grid content-start gap-4">
          {isOver(vial) ? null : <DrawBlock action={path} question={draw} parts={vial.parts} />}
          {forecast ? <ForecastBlock name={vial.name} forecast={forecast} /> : null}
        </div>
      </div>
      {measured ? <MeasuredForm vial={measured} unit={doseUnit} /> : null}
      <CeilingPanel name={vial.name} ceiling={ceiling} from={path} />
      <LedgerTable
        rows={vial.ledger}
        hidden={hiddenEntries}
        allHref={`${path}?ledger=all#ledger`}
        foldedCount={vial.foldedCount}
      />
    </>
  );
}

const isOver = ({ status }: VialDetail) => status === 'empty' || status === 'discarded';

/** The actions that a vial's status allows; the destructive ones stand apart. */
function Steps({ vial }: { vial: VialDetail }) {
  const at = (step: string) => `/dashboard/vials/${vial.id}/${step}`;
  return (
    <div className="no-print mt-4 flex flex-wrap gap-3">
      {!vial.isReconstituted && !isOver(vial) ? (
        <LinkButton variant="primary" to={at('reconstitute')}>
          Reconstitute
        </LinkButton>
      ) : null}
      {vial.status === 'discarded' ? null : <LinkButton to={at('remaining')}>Correct the amount</LinkButton>}
      <LinkButton to={at('edit')}>Edit</LinkButton>
      <LinkButton to={at('label')}>Label</LinkButton>
      {vial.lotId ? <LinkButton to={`/dashboard/lots/${vial.lotId}`}>Lot</LinkButton> : null}
      <span className="ms-auto flex flex-wrap gap-3">
        {isOver(vial) ? null : (
          <LinkButton variant="danger" to={at('discard')}>
            Discard
          </LinkButton>
        )}
        <LinkButton variant="danger" to={at('delete')}>
          Delete
        </LinkButton>
      </span>
    </div>
  );
}

function Contents({ vial }: { vial: VialDetail }) {
  return (
    <section aria-labelledby="contents-title" className="sheet grid content-start gap-3 p-5">
      <h2 id="contents-title">In the vial</h2>
      <p className="headline">
        {vial.parts.length > 0 ? null : <Figure value={vial.remainingText} unit="mg" />}
        {vial.leftMlText ? <Figure value={vial.leftMlText} unit="ml" className="headline-second" /> : null}
      </p>
      <RemainingBar percent={vial.percent} />
      {vial.parts.length > 0 ? (
        <ul aria-label="Components">
          {vial.parts.map(({ name, remainingText, totalText, strengthText }) => (
            <li key={name}>
              {`${name} `}
              <Figure value={remainingText} unit="mg" />
              <span className="text-soft">{` of ${totalText} mg, ${strengthText ? `${strengthText} mg/ml` : 'not reconstituted'}`}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-soft">{`of ${vial.totalText} mg, ${vial.strengthText ? `${vial.strengthText} mg/ml` : 'not reconstituted'}`}</p>
      )}
      <VialBadges row={vial} />
      {vial.date?.state === 'past' ? (
        <Notice tone="warning" role="note">
          This vial is past its beyond-use date. You can still log from it.
        </Notice>
      ) : null}
      <dl className="vial-facts">
        {vial.facts.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {vial.notes ? <p className="whitespace-pre-line">{vial.notes}</p> : null}
    </section>
  );
}

interface DrawQuestion {
  dose: string;
  unit: string;
  syringe: string;
  /** For a blend, the component that the dose counts. */
  doseOf: string | null;
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
      {answer.ml && answer.units && answer.mark ? (
        <DrawHeadline mark={answer.mark} unitsText={answer.units} volumeText={answer.ml} />
      ) : (
        <p>The concentration of this vial is unknown. Enter how much water was added.</p>
      )}
      {answer.others ? <p>{`This also gives ${answer.others.join(', ')}.`}</p> : null}
      <dl className="vial-facts">
        <div>
          <dt>Doses left</dt>
          <dd>
            <Figure value={answer.dosesLeft} />
          </dd>
        </div>
        <div>
          <dt>Cost per dose</dt>
          <dd>{answer.cost ? <Figure value={answer.cost} /> : 'Unknown: enter what you paid'}</dd>
        </div>
      </dl>
    </div>
  );
}

/** Calculates the draw for a dose from this vial. The form is a GET of the same page. */
function DrawBlock({
  action,
  question,
  parts,
}: {
  action: string;
  question: DrawQuestion;
  parts: VialDetail['parts'];
}) {
  const { dose, unit, syringe, doseOf, error, answer } = question;
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
        {doseOf === null ? null : (
          <Select
            key={`doseOf ${doseOf}`}
            name="doseOf"
            label="Dose of"
            options={parts.map(({ name }) => ({ value: name, label: name }))}
            defaultValue={doseOf}
          />
        )}
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

const TONES: Readonly<Record<ForecastText['level'], BadgeTone>> = {
  unknown: 'soft',
  ok: 'good',
  amber: 'warn',
  red: 'danger',
};

function ForecastBlock({ name, forecast }: { name: string; forecast: ForecastText }) {
  return (
    <section aria-labelledby="forecast-title" className="sheet grid gap-2 p-5">
      <h2 id="forecast-title" className="flex flex-wrap items-center gap-3 wrap-anywhere">
        {`Stock of ${name}`}
        <Badge tone={TONES[forecast.level]}>{forecast.badge}</Badge>
      </h2>
      <p>{forecast.text}</p>
      {forecast.reorder ? <p className="font-semibold">{forecast.reorder}</p> : null}
    </section>
  );
}

interface LedgerTableProps {
  rows: readonly LedgerRow[];
  /** Number of entries that are not in `rows`. `allHref` shows them all. */
  hidden: number;
  allHref: string;
  foldedCount: number;
}

const COLUMNS = [
  { key: 'when', label: 'When', cell: (row: LedgerRow) => <time dateTime={row.at}>{row.when}</time> },
  { key: 'what', label: 'What', cell: (row: LedgerRow) => row.what },
  {
    key: 'change',
    label: 'Change',
    numeric: true,
    cell: (row: LedgerRow) => <span className="unbroken">{`${row.change} mg`}</span>,
  },
  { key: 'reason', label: 'Reason', cell: (row: LedgerRow) => row.reason ?? '–' },
] as const;

/** Every change of the remaining amount, newest first. */
function LedgerTable({ rows, hidden, allHref, foldedCount }: LedgerTableProps) {
  return (
    <section aria-labelledby="ledger-title" id="ledger" className="scroll-mt-4">
      <h2 id="ledger-title">Ledger</h2>
      {rows.length === 0 ? (
        <p className="mt-2 text-soft">
          Nothing has been taken out yet. Doses, corrections and losses appear here.
        </p>
      ) : (
        <DataTable
          caption="Changes to the remaining amount"
          columns={COLUMNS}
          rows={rows}
          rowKey={(row) => row.id}
        />
      )}
      {hidden > 0 ? (
        <p className="mt-2">
          <Link to={allHref} className="inline-flex min-h-11 items-center">
            {`Show ${hidden} more`}
          </Link>
        </p>
      ) : null}
      {foldedCount > 0 ? (
        <p className="mt-2 text-soft">{`${foldedCount} older entries are combined into one sum.`}</p>
      ) : null}
    </section>
  );
}
