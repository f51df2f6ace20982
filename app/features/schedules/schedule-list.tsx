import { Form, Link } from '@remix-run/react';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Measured } from '#app/ui/figure.tsx';

export interface ScheduleRow {
  id: string;
  name: string;
  isActive: boolean;
  words: string;
  dose: string;
  next: string | null;
  /** The last day of the current planned pause, as text. */
  pausedUntil: string | null;
  /** Its last day has passed, or its vial is used up. */
  hasEnded: boolean;
  /** No planned doses: each is logged when it is taken. */
  isAsNeeded: boolean;
}

export const scheduleHref = (id: string) => `/dashboard/schedule/${id}`;

/** A one-button form to pause or resume. */
export function ToggleForm({ id, isActive }: { id: string; isActive: boolean }) {
  return (
    <Form method="post" action={`${scheduleHref(id)}/pause`}>
      <input type="hidden" name="isActive" value={isActive ? 'false' : 'true'} />
      <Button>{isActive ? 'Pause' : 'Resume'}</Button>
    </Form>
  );
}

/** The state of a schedule: active, paused or ended. */
export function StateBadge({
  isActive,
  pausedUntil,
  hasEnded,
}: Pick<ScheduleRow, 'isActive' | 'pausedUntil' | 'hasEnded'>) {
  if (!isActive) return <Badge tone="soft">Paused</Badge>;
  if (hasEnded) return <Badge tone="soft">Ended</Badge>;
  return pausedUntil === null ? (
    <Badge tone="good">Active</Badge>
  ) : (
    <Badge tone="soft">{`Paused until ${pausedUntil}`}</Badge>
  );
}

type NextDose = Pick<ScheduleRow, 'isActive' | 'hasEnded' | 'isAsNeeded' | 'next'>;

function nextDoseText({ isActive, hasEnded, isAsNeeded, next }: NextDose) {
  if (!isActive) return 'No doses while paused';
  if (hasEnded) return 'No more doses';
  if (isAsNeeded) return 'Log one on Today when you take it';
  return next === null ? 'No upcoming doses' : `Next dose: ${next}`;
}

function Row(row: ScheduleRow) {
  const { id, name, isActive, words, dose } = row;
  return (
    <li>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="text-xl">
          <Link to={scheduleHref(id)} className="inline-flex min-h-11 items-center break-words">
            {name}
          </Link>
        </h2>
        <StateBadge {...row} />
      </div>
      <p>{words}</p>
      <p>
        <Measured text={dose} />
      </p>
      <p className="text-soft">{nextDoseText(row)}</p>
      <div className="flex flex-wrap gap-3 pt-1">
        <ToggleForm id={id} isActive={isActive} />
        <LinkButton to={`${scheduleHref(id)}/edit`} aria-label={`Edit ${name}`}>
          Edit
        </LinkButton>
        <LinkButton to={`${scheduleHref(id)}/delete`} variant="plain" aria-label={`Delete ${name}`}>
          Delete
        </LinkButton>
      </div>
    </li>
  );
}

/** All schedules, newest first, or a hint on how to start if there are none. */
export function ScheduleList({ rows }: { rows: readonly ScheduleRow[] }) {
  if (rows.length === 0) {
    return (
      <section aria-labelledby="all-title">
        <h2 id="all-title" className="sr-only">
          All schedules
        </h2>
        <EmptyState
          title="No schedules yet"
          drawing="schedule"
          action={
            <div className="flex flex-wrap gap-3">
              <LinkButton to="/dashboard/schedule/new" variant="primary">
                New schedule
              </LinkButton>
              <LinkButton to="/dashboard/schedule/templates">Start from a template</LinkButton>
            </div>
          }
        >
          <p>
            A schedule sets what you take and when. It gives you each day’s doses, reminders, and a forecast
            of when a vial runs out.
          </p>
        </EmptyState>
      </section>
    );
  }
  return (
    <ul className="schedule-list">
      {rows.map((row) => (
        <Row key={row.id} {...row} />
      ))}
    </ul>
  );
}
