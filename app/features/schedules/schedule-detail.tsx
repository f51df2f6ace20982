import { Link } from '@remix-run/react';
import type { ShownDose, ShownPhase } from '#app/domain/schedules/schedule-view.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { CeilingPanel, type ShownCeiling } from '#app/features/amounts/index.ts';
import { DoseTable, PhaseTable } from './dose-tables.tsx';
import { scheduleHref, StateBadge, ToggleForm } from './schedule-list.tsx';

export interface ScheduleDetailProps {
  id: string;
  isActive: boolean;
  /** The last day of the current planned pause, as text. */
  pausedUntil: string | null;
  /** True if it has ended or is paused. */
  canBeginAgain: boolean;
  /** No planned doses: each is logged when it is taken. */
  isAsNeeded: boolean;
  /** Its last day has passed, or its vial is used up. */
  hasEnded: boolean;
  /** The vial it ends with is used up. */
  hasStopped: boolean;
  /** Some doses due before it was created are not logged. */
  asksAboutPast: boolean;
  /** Preferred vial. */
  compoundId: string | null;
  /** The name and the lot of its vial; null when it has none. */
  vialText: string | null;
  /** The ceiling of its compound. */
  ceiling: ShownCeiling | null;
  name: string;
  facts: readonly (readonly [name: string, text: string])[];
  phases: readonly ShownPhase[];
  doses: readonly ShownDose[];
}

/** One schedule: its facts, phases and next doses. */
export function ScheduleDetail(props: ScheduleDetailProps) {
  const {
    id,
    name,
    isActive,
    canBeginAgain,
    pausedUntil,
    isAsNeeded,
    hasEnded,
    hasStopped,
    asksAboutPast,
    compoundId,
    vialText,
    ceiling,
    facts,
    phases,
    doses,
  } = props;
  return (
    <>
      {asksAboutPast ? (
        <Notice
          actions={
            <Link
              to={`/dashboard/schedule/backfill?schedule=${id}`}
              className="inline-flex min-h-11 items-center"
            >
              Log past doses
            </Link>
          }
        >
          This schedule started before you created it. Which of its doses did you take? Those you don’t log
          count as missed.
        </Notice>
      ) : null}
      <p>
        <StateBadge isActive={isActive} pausedUntil={pausedUntil} hasEnded={hasEnded} />
      </p>
      <dl className="facts">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Measured text={text} />
            </dd>
          </div>
        ))}
        {compoundId && vialText ? (
          <div>
            <dt>Vial</dt>
            <dd>
              <Link to={`/dashboard/vials/${compoundId}`}>{vialText}</Link>
            </dd>
          </div>
        ) : null}
      </dl>
      <div className="no-print flex flex-wrap gap-3">
        <LinkButton to={`${scheduleHref(id)}/edit`} variant="primary">
          Edit
        </LinkButton>
        <ToggleForm id={id} isActive={isActive} />
        <LinkButton to={`${scheduleHref(id)}/pauses`}>Plan a pause</LinkButton>
        <LinkButton to={`${scheduleHref(id)}/swap`}>Change compound, vial or dose</LinkButton>
        {canBeginAgain ? <LinkButton to={`${scheduleHref(id)}/again`}>Start again</LinkButton> : null}
        <LinkButton to={`${scheduleHref(id)}/template`}>Save as template</LinkButton>
        <LinkButton to={`${scheduleHref(id)}/delete`} variant="danger">
          Delete
        </LinkButton>
      </div>
      {phases.length > 0 ? (
        <section aria-labelledby="phases-title">
          <h2 id="phases-title">Phases</h2>
          <PhaseTable phases={phases} />
        </section>
      ) : null}
      <section aria-labelledby="next-title">
        <h2 id="next-title">Next doses</h2>
        {hasStopped ? (
          <p className="text-soft">
            None: the vial this schedule ends with is used up. To continue, undo the last dose, correct the
            vial or change to another one. You can also start again.
          </p>
        ) : isAsNeeded ? (
          <>
            <p className="pb-2 text-soft">Doses aren’t planned. Log each one when you take it.</p>
            <LinkButton to={`${scheduleHref(id)}/take`}>Log a dose</LinkButton>
          </>
        ) : doses.length > 0 ? (
          <DoseTable caption="Next doses" doses={doses} />
        ) : (
          <p className="text-soft">
            {isActive
              ? 'None in the next 35 days.'
              : 'None while the schedule is paused. Resume it to continue.'}
          </p>
        )}
      </section>
      <CeilingPanel name={name} ceiling={ceiling} from={scheduleHref(id)} />
    </>
  );
}
