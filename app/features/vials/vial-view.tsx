import type { ForecastText } from '#app/domain/vials/forecast.ts';
import type { VialDetail } from '#app/domain/vials/vial-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Figure } from '#app/ui/statistic.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { DrawBlock, type DrawQuestion } from './draw-block.tsx';
import { ForecastBlock } from './forecast-block.tsx';
import { LedgerTable } from './ledger-table.tsx';
import { RemainingBar } from './remaining-bar.tsx';
import { VialBadges } from './vial-badges.tsx';

export interface VialViewProps {
  vial: VialDetail;
  hiddenEntries: number;
  forecast: ForecastText | null;
  draw: DrawQuestion;
}

const isOver = ({ status }: VialDetail) => status === 'empty' || status === 'discarded';

function Contents({ vial }: { vial: VialDetail }) {
  return (
    <section aria-labelledby="contents-title" className="sheet grid content-start gap-3 p-5">
      <h2 id="contents-title">In the vial</h2>
      <p className="headline">
        <Figure value={vial.remainingText} unit="mg" />
        {vial.leftMlText ? <Figure value={vial.leftMlText} unit="ml" className="headline-second" /> : null}
      </p>
      <RemainingBar percent={vial.percent} />
      <p className="text-soft">{`of ${vial.totalText} mg, ${vial.strengthText ? `${vial.strengthText} mg/ml` : 'not reconstituted'}`}</p>
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

/** The steps that are possible with a vial in its state; the destructive ones apart. */
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

/** One vial: what is in it, what to draw, how long it lasts, and what happened to it. */
export function VialView({ vial, hiddenEntries, forecast, draw }: VialViewProps) {
  const path = `/dashboard/vials/${vial.id}`;
  return (
    <>
      <Steps vial={vial} />
      <div className="vial-panels">
        <Contents vial={vial} />
        <div className="grid content-start gap-4">
          {isOver(vial) ? null : <DrawBlock action={path} question={draw} />}
          {forecast ? <ForecastBlock name={vial.name} forecast={forecast} /> : null}
        </div>
      </div>
      <LedgerTable
        rows={vial.ledger}
        hidden={hiddenEntries}
        allHref={`${path}?ledger=all#ledger`}
        foldedCount={vial.foldedCount}
      />
    </>
  );
}
