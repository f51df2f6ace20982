import { Form, Link } from '@remix-run/react';
import { DOSE_UNIT_CHOICES, substanceUnitOf } from '#app/domain/calculator/calculation.ts';
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
  /** Whether its owner may log doses. */
  canLog: boolean;
}

/** The page of a vial: contents, draw for a dose, forecast, and ledger. */
export function VialView(props: VialViewProps) {
  const { vial, hiddenEntries, forecast, draw, ceiling, measured, doseUnit, canLog } = props;
  const path = `/dashboard/vials/${vial.id}`;
  return (
    <>
      <div className="vial-panels">
        <section aria-labelledby="contents-title" className="sheet grid content-start gap-3 p-5">
          <h2 id="contents-title">In the vial</h2>
          <p className="headline">
            {vial.parts.length > 0 ? null : <Figure value={vial.remainingText} unit={vial.unit} />}
            {vial.leftMlText ? (
              <Figure value={vial.leftMlText} unit="ml" className="headline-second" />
            ) : null}
          </p>
          <RemainingBar percent={vial.percent} />
          <Steps vial={vial} canLog={canLog} />
          {vial.parts.length > 0 ? (
            <ul aria-label="Components">
              {vial.parts.map(({ name, remainingText, totalText, strengthText }) => (
                <li key={name}>
                  {`${name} `}
                  <Figure value={remainingText} unit={vial.unit} />
                  <span className="text-soft">{` of ${totalText} ${vial.unit}, ${strengthText ? `${strengthText} ${vial.strengthUnit}` : 'not reconstituted'}`}</span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-soft">{`of ${vial.totalText} ${vial.unit}, ${vial.strengthText ? `${vial.strengthText} ${vial.strengthUnit}` : 'not reconstituted'}`}</p>
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
        <div className="grid content-start gap-4">
          {isOver(vial) ? null : <DrawBlock action={path} question={draw} vial={vial} />}
          {forecast ? (
            <section aria-labelledby="forecast-title" className="sheet grid gap-2 p-5">
              <h2 id="forecast-title" className="flex flex-wrap items-center gap-3 wrap-anywhere">
                {`Stock of ${vial.name}`}
                <Badge tone={TONES[forecast.level]}>{forecast.badge}</Badge>
              </h2>
              <p>{forecast.text}</p>
              {forecast.reorder ? <p className="font-semibold">{forecast.reorder}</p> : null}
            </section>
          ) : null}
        </div>
      </div>
      {measured ? <MeasuredForm vial={measured} unit={doseUnit} /> : null}
      <CeilingPanel name={vial.name} ceiling={ceiling} from={path} />
      <section aria-labelledby="ledger-title" id="ledger" className="scroll-mt-4">
        <h2 id="ledger-title">Ledger</h2>
        {vial.ledger.length === 0 ? (
          <p className="mt-2 text-soft">
            Nothing has been taken out yet. Doses, corrections and losses appear here.
          </p>
        ) : (
          <DataTable
            caption="Changes to the remaining amount"
            columns={columnsFor(vial.unit)}
            rows={vial.ledger}
            rowKey={(row) => row.id}
          />
        )}
        {hiddenEntries > 0 ? (
          <p className="mt-2">
            <Link to={`${path}?ledger=all#ledger`} className="inline-flex min-h-11 items-center">
              {`Show ${hiddenEntries} more`}
            </Link>
          </p>
        ) : null}
        {vial.foldedCount > 0 ? (
          <p className="mt-2 text-soft">{`${vial.foldedCount} older entries are combined into one sum.`}</p>
        ) : null}
      </section>
    </>
  );
}

const isOver = ({ status }: VialDetail) => status === 'empty' || status === 'discarded';

/** The next step of a vial, and in a menu what else its status allows, with what cannot be undone at its end. */
function Steps({ vial, canLog }: { vial: VialDetail; canLog: boolean }) {
  const at = (step: string) => `/dashboard/vials/${vial.id}/${step}`;
  return (
    <div className="no-print vial-steps">
      {!vial.isUsable && !isOver(vial) ? (
        <LinkButton variant="primary" to={at('reconstitute')}>
          Reconstitute
        </LinkButton>
      ) : null}
      {canLog && vial.isUsable && !isOver(vial) ? (
        <LinkButton
          variant="primary"
          to={`/dashboard/schedule/log?${new URLSearchParams({ name: vial.name }).toString()}`}
        >
          Log a dose
        </LinkButton>
      ) : null}
      <details className="menu">
        <summary className="btn">More</summary>
        <div className="menu-sheet">
          {vial.status === 'discarded' ? null : (
            <LinkButton variant="plain" to={at('remaining')}>
              Correct the amount
            </LinkButton>
          )}
          <LinkButton variant="plain" to={at('edit')}>
            Edit
          </LinkButton>
          <LinkButton variant="plain" to={at('label')}>
            Label
          </LinkButton>
          <LinkButton variant="plain" to={at('card')}>
            Dose card
          </LinkButton>
          {vial.lotId ? (
            <LinkButton variant="plain" to={`/dashboard/lots/${vial.lotId}`}>
              Lot
            </LinkButton>
          ) : null}
          {isOver(vial) ? null : (
            <LinkButton variant="danger" to={at('discard')}>
              Discard
            </LinkButton>
          )}
          <LinkButton variant="danger" to={at('delete')}>
            Delete
          </LinkButton>
        </div>
      </details>
    </div>
  );
}

interface DrawQuestion {
  dose: string;
  unit: string;
  syringe: string;
  syringes: { value: string; label: string }[];
  /** For a blend, the component that the dose counts. */
  doseOf: string | null;
  error: string | null;
  answer: DoseOfVial | null;
}

/** Calculates the draw for a dose from this vial. The form is a GET of the same page. */
function DrawBlock({
  action,
  question,
  vial: { parts, unit: measure, isDrawn },
}: {
  action: string;
  question: DrawQuestion;
  vial: VialDetail;
}) {
  const { dose, unit, syringe, syringes, doseOf, error, answer } = question;
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
        <Select
          key={`unit ${unit}`}
          name="unit"
          label="Unit"
          options={DOSE_UNIT_CHOICES.filter(({ value }) => substanceUnitOf(value) === measure)}
          defaultValue={unit}
        />
        {isDrawn ? (
          <Select
            key={`syringe ${syringe}`}
            name="syringe"
            label="Syringe"
            options={syringes}
            defaultValue={syringe}
          />
        ) : null}
        <Button>Show</Button>
      </Form>
      {answer ? (
        <div className="grid gap-3" role="status">
          {answer.units && answer.mark ? (
            <DrawHeadline mark={answer.mark} unitsText={answer.units} volumeText={answer.ml ?? ''} />
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
      ) : null}
    </section>
  );
}

const TONES: Readonly<Record<ForecastText['level'], BadgeTone>> = {
  unknown: 'soft',
  ok: 'good',
  amber: 'warn',
  red: 'danger',
};

const columnsFor = (unit: string) => [
  { key: 'when', label: 'When', cell: (row: LedgerRow) => <time dateTime={row.at}>{row.when}</time> },
  { key: 'what', label: 'What', cell: (row: LedgerRow) => row.what },
  {
    key: 'change',
    label: 'Change',
    numeric: true,
    cell: (row: LedgerRow) => <span className="unbroken">{`${row.change} ${unit}`}</span>,
  },
  { key: 'reason', label: 'Reason', cell: (row: LedgerRow) => row.reason ?? '–' },
];
