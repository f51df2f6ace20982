import { Form, useNavigation, Link, useFetcher } from '@remix-run/react';
import { Fragment, type ReactNode } from 'react';
import { dayLabel } from '#app/domain/time/calendar.ts';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { AsNeededDoses } from './as-needed.tsx';
import { DoseFacts, doseHref, DoseNotes, doseLabel, DoseToDraw, StatusMark } from './dose-line.tsx';
import type { DrawLine, Listed, Today, TogetherLine } from '#app/domain/doses/draw-line.ts';
import { bySlot } from '#app/domain/doses/time-slot.ts';
import { slotHref, TAKE_TOGETHER, TakeTogether } from './take-together.tsx';
import { shownAhead } from '#app/ui/connection/client-action.ts';
import { byDayPart, DAY_PART_LABELS } from '#app/domain/doses/day-parts.ts';
import { Icon } from '#app/ui/icon.tsx';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { amountInStock, estimateNote, lastsText, wasteNote } from '#app/domain/vials/forecast-texts.ts';
import { plural } from '#app/domain/text/plural.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** The Today page: pending, logged and upcoming doses, and when stock runs out. */
export function TodayScreen({
  today,
  forecasts,
  supplies,
  idempotencyKey,
}: {
  today: Today;
  forecasts: readonly StockForecast[];
  supplies: readonly SupplyLine[];
  /** Idempotency key of the buttons that create a dose. */
  idempotencyKey: string;
}) {
  return (
    <div id="doses" tabIndex={-1} className="today">
      <p className="text-soft">{dayLabel(today.day, true)}</p>
      {today.open.rows.length > 0 ? (
        <PendingDoses open={today.open} today={today.day} />
      ) : (
        <Nothing today={today} />
      )}
      <PausedSchedules lines={today.paused} />
      <AsNeededDoses lines={today.asNeeded} idempotencyKey={idempotencyKey} />
      <MissedDoses missed={today.missed} />
      <LoggedDoses done={today.done} together={today.together} today={today.day} />
      <UpcomingDoses upcoming={today.upcoming} />
      <StockForecasts forecasts={forecasts} supplies={supplies} />
    </div>
  );
}

/** The schedules that are paused today, which explains why their doses are not listed. */
function PausedSchedules({ lines }: { lines: Today['paused'] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="py-2 text-soft" aria-label="Paused today">
      {lines.map(({ scheduleId, name, lastDay }) => (
        <li key={scheduleId}>
          <Link
            to={`/dashboard/schedule/${scheduleId}/pauses`}
            className="inline-flex min-h-11 items-center"
          >{`${name} is paused until ${shownDay(lastDay)}`}</Link>
        </li>
      ))}
    </ul>
  );
}

function Nothing({ today }: { today: Today }) {
  if (!today.hasSchedules)
    return (
      <EmptyState
        level={2}
        title="No schedule yet"
        drawing="schedule"
        action={
          <div className="flex flex-wrap gap-3">
            <LinkButton to="/dashboard/schedule/new" variant="primary">
              Create a schedule
            </LinkButton>
            <LinkButton to="/dashboard/schedule/templates">Start from a template</LinkButton>
          </div>
        }
      >
        Your doses for the day will appear here, each with the amount to draw and a button to log it. You can
        also log a single dose without a schedule.
      </EmptyState>
    );
  return (
    <EmptyState
      level={2}
      title={today.done.rows.length > 0 ? 'All done for today' : 'Nothing due today'}
      drawing="done"
      action={<LinkButton to="/dashboard/schedule/calendar">Calendar</LinkButton>}
    >
      {today.upcoming.rows.length > 0
        ? 'Your next doses are listed below.'
        : 'Nothing is planned for the next 7 days.'}
    </EmptyState>
  );
}

/** How many doses of earlier days are listed among today's; more than that are collapsed into one line. */
const FEW = 3;

/** Splits off the doses of earlier days if there are more than a few. */
function foldEarlier<Line extends DoseLine>(rows: readonly Line[], today: string) {
  const earlier = rows.filter(({ day }) => day < today);
  if (earlier.length <= FEW) return { shown: rows, folded: [] };
  return { shown: rows.filter(({ day }) => day >= today), folded: earlier };
}

/** Doses of earlier days, collapsed into one line. */
function EarlierDoses({ count, children }: { count: number; children: ReactNode }) {
  return (
    <details className="earlier-rows">
      <summary>
        <Icon name="chevron" size={16} />
        {`${plural(count, 'dose')} from earlier days`}
      </summary>
      <ul>{children}</ul>
    </details>
  );
}

/** The pending doses of today: overdue ones first, then by time of day. */
function PendingDoses({ open, today }: { open: Listed<DrawLine>; today: string }) {
  const overdue = foldEarlier(
    open.rows.filter(({ urgency }) => urgency === 'overdue'),
    today,
  );
  const rest = open.rows.filter(({ urgency }) => urgency !== 'overdue');
  const slots = shownSlots([...overdue.shown, ...rest]);
  const line = (dose: DrawLine) => (
    <Fragment key={dose.id}>
      <SlotOf dose={dose} slots={slots} />
      <PendingDose line={dose} today={today} isDue={dose.urgency !== 'later'} />
    </Fragment>
  );
  const [first] = overdue.folded;
  return (
    <>
      {overdue.shown.length > 0 || first ? (
        <section aria-labelledby="overdue" className="dose-group">
          <h2 id="overdue">Overdue</h2>
          <div className="sheet">
            {overdue.shown.length > 0 ? <ul>{overdue.shown.map(line)}</ul> : null}
            {first ? (
              <EarlierDoses count={overdue.folded.length}>{overdue.folded.map(line)}</EarlierDoses>
            ) : null}
          </div>
          {first ? (
            <p className="py-2">
              <Link
                to={`/dashboard/schedule/backfill?from=${first.day}&to=${today}`}
                className="inline-flex min-h-11 items-center"
              >
                Log past doses together
              </Link>
            </p>
          ) : null}
        </section>
      ) : null}
      {byDayPart(rest).map(({ part, rows }) => (
        <Group key={part} id={part} title={DAY_PART_LABELS[part]}>
          {rows.map(line)}
        </Group>
      ))}
      {open.more ? (
        <MoreNotShown count={open.rows.length}>Log these to see the next ones.</MoreNotShown>
      ) : null}
    </>
  );
}

type Slot = { start: Date; doses: DrawLine[] };

/** The time slots with more than one of these doses. */
const shownSlots = (rows: readonly DrawLine[]): Slot[] =>
  bySlot(rows, ({ dueDate }) => new Date(dueDate)).filter(({ doses }) => doses.length > 1);

/** Takes all doses of a time slot; it stands before the first of them. */
function SlotOf({ dose, slots }: { dose: DrawLine; slots: readonly Slot[] }) {
  const slot = slots.find(({ doses: [first] }) => first === dose);
  if (slot === undefined) return null;
  return (
    <li className="dose-slot">
      <TakeTogether rows={slot.doses} action={slotHref(slot.start)} isDue={dose.urgency !== 'later'} />
    </li>
  );
}

/** When a dose is due: the time, and the day above it unless that is today. */
function DoseTime({ line, today }: { line: DoseLine; today: string }) {
  return (
    <time dateTime={line.dueDate} className="dose-time figure">
      {line.day === today ? null : <span className="block text-sm">{dayLabel(line.day)}</span>}
      {line.time}
    </time>
  );
}

/**
 * A dose to take: one button logs it. With scripts the line says "Taken" at once and disappears when the server has
 * saved it.
 */
function PendingDose({ line, today, isDue }: { line: DrawLine; today: string; isDue: boolean }) {
  const fetcher = useFetcher({ key: line.id });
  const notice = optimisticText(shownAhead(fetcher));
  const action = doseHref(line.id);
  return (
    <li className="dose-line" data-said={notice ?? undefined}>
      <DoseTime line={line} today={today} />
      <div className="min-w-0">
        <DoseToDraw line={line} to={doseHref(line.id)} />
        {line.readBack === null ? null : (
          <p className="text-sm font-semibold">
            <Measured text={line.readBack} />
          </p>
        )}
        <DoseNotes line={line} />
        {notice === null ? <StatusMark line={line} /> : <span className="dose-state">{`${notice}...`}</span>}
      </div>
      <fetcher.Form method="post" action={action} className="dose-take">
        <input type="hidden" name="from" value="today" />
        <Button
          name="intent"
          value="taken"
          variant={isDue ? 'primary' : 'quiet'}
          disabled={notice !== null}
          aria-label={`Taken: ${doseLabel(line)}`}
        >
          Taken
        </Button>
      </fetcher.Form>
      <details className="dose-rest">
        <summary aria-label={`More for ${doseLabel(line)}`}>More</summary>
        <fetcher.Form method="post" action={action} className="flex flex-wrap">
          <input type="hidden" name="from" value="today" />
          <OtherActions line={line} isBusy={notice !== null} />
        </fetcher.Form>
      </details>
    </li>
  );
}

const STATUS_TEXT: Readonly<Record<string, string>> = {
  taken: 'Taken',
  skipped: 'Skipped',
  missed: 'Missed',
};

/** The state to show before the server has answered. */
function optimisticText(form: FormData | undefined): string | null {
  return form === undefined ? null : (STATUS_TEXT[String(form.get('intent'))] ?? null);
}

function OtherActions({ line, isBusy }: { line: DrawLine; isBusy: boolean }) {
  return (
    <>
      <Button
        name="intent"
        value="skipped"
        variant="plain"
        disabled={isBusy}
        aria-label={`Skip ${doseLabel(line)}`}
      >
        Skip
      </Button>
      <Button
        name="intent"
        value="missed"
        variant="plain"
        disabled={isBusy}
        aria-label={`Missed ${doseLabel(line)}`}
      >
        Missed
      </Button>
      <Link to={doseHref(line.id)} className="btn btn-plain" aria-label={`Details of ${doseLabel(line)}`}>
        Details
      </Link>
    </>
  );
}

/** Doses that were not logged in time but may have been taken. */
function MissedDoses({ missed }: Pick<Today, 'missed'>) {
  const count = missed.rows.length;
  if (count === 0) return null;
  const text =
    count === 1
      ? '1 dose from the last 7 days was marked as missed because it wasn’t logged.'
      : `${missed.more ? `More than ${count}` : count} doses from the last 7 days were marked as missed because they weren’t logged.`;
  return (
    <Notice
      actions={
        <Link to="/dashboard/schedule/backfill" className="inline-flex min-h-11 items-center">
          Log past doses
        </Link>
      }
    >
      {text}
    </Notice>
  );
}

/** Undoes everything that one act has logged. */
function UndoTogether({ ids, names }: TogetherLine) {
  const { formAction, state } = useNavigation();
  return (
    <Form method="post" action={TAKE_TOGETHER} className="together-undo">
      {ids.map((id) => (
        <input key={id} type="hidden" name="ids" value={id} />
      ))}
      <span>{`Taken together: ${names}`}</span>
      <Button
        name="intent"
        value="undo"
        variant="plain"
        disabled={state !== 'idle' && formAction === TAKE_TOGETHER}
      >
        {`Undo all ${ids.length}`}
      </Button>
    </Form>
  );
}

interface LoggedDosesProps {
  done: Listed<DoseLine>;
  together: readonly TogetherLine[];
  today: string;
}

function LoggedDoses({ done, together, today }: LoggedDosesProps) {
  if (done.rows.length === 0) return null;
  const { shown, folded } = foldEarlier(done.rows, today);
  const line = (dose: DoseLine) => <LoggedDose key={dose.id} line={dose} today={today} />;
  return (
    <>
      <section aria-labelledby="done" className="dose-group">
        <h2 id="done">Logged today</h2>
        <div className="sheet">
          {together.map((act) => (
            <UndoTogether key={act.ids.join()} {...act} />
          ))}
          {shown.length > 0 ? <ul>{shown.map(line)}</ul> : null}
          {folded.length > 0 ? <EarlierDoses count={folded.length}>{folded.map(line)}</EarlierDoses> : null}
        </div>
      </section>
      {done.more ? <MoreNotShown count={done.rows.length} /> : null}
    </>
  );
}

/** A logged dose with its undo button. */
function LoggedDose({ line, today }: { line: DoseLine; today: string }) {
  const { formAction, state } = useNavigation();
  const action = doseHref(line.id);
  return (
    <li className="dose-line">
      <DoseTime line={line} today={today} />
      <div className="min-w-0">
        <DoseFacts line={line} />
        <StatusMark line={line} />
        <DoseNotes line={line} />
      </div>
      {line.canUndo ? (
        <Form method="post" action={action} className="dose-take">
          <Button
            name="intent"
            value="undo"
            variant="plain"
            disabled={state !== 'idle' && formAction === action}
            aria-label={`Undo ${doseLabel(line)}`}
          >
            Undo
          </Button>
        </Form>
      ) : null}
    </li>
  );
}

/** The doses of the seven days after today. */
function UpcomingDoses({ upcoming }: { upcoming: Listed<DoseLine> }) {
  if (upcoming.rows.length === 0) return null;
  return (
    <section aria-labelledby="upcoming" className="dose-group">
      <h2 id="upcoming">Next 7 days</h2>
      <div className="sheet">
        {days(upcoming.rows).map(({ day, rows }, index) => (
          <UpcomingDay key={day} day={day} rows={rows} open={index === 0} />
        ))}
      </div>
      {upcoming.more ? (
        <MoreNotShown count={upcoming.rows.length}>
          <Link to="/dashboard/schedule/calendar?view=week">See all of them in the calendar.</Link>
        </MoreNotShown>
      ) : null}
    </section>
  );
}

function days(rows: readonly DoseLine[]): { day: string; rows: DoseLine[] }[] {
  const names = [...new Set(rows.map(({ day }) => day))];
  return names.map((day) => ({ day, rows: rows.filter((row) => row.day === day) }));
}

function UpcomingDay({ day, rows, open }: { day: string; rows: readonly DoseLine[]; open: boolean }) {
  return (
    <details className="upcoming-day" open={open}>
      <summary>
        <Icon name="chevron" size={16} />
        {dayLabel(day)}
        <span className="font-normal text-soft">{plural(rows.length, 'dose')}</span>
      </summary>
      <ul className="pb-2">
        {rows.map((line) => (
          <li key={line.id} className="upcoming-line">
            <time dateTime={line.dueDate} className="figure">
              {line.time}
            </time>
            <DoseFacts line={line} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What is left of a supply, and how long it lasts. */
interface SupplyLine {
  id: string;
  name: string;
  level: StockForecast['level'];
  text: string;
}

interface StockForecastsProps {
  forecasts: readonly StockForecast[];
  supplies: readonly SupplyLine[];
}

/** When stock of compounds with upcoming doses, and supplies, will run out. */
function StockForecasts({ forecasts, supplies }: StockForecastsProps) {
  const shortages = forecasts.filter(({ why }) => why !== 'no-doses');
  if (shortages.length === 0 && supplies.length === 0) return null;
  return (
    <section aria-labelledby="stock" className="dose-group">
      <h2 id="stock">Stock</h2>
      <ul className="sheet">
        {shortages.map((forecast) => (
          <li key={forecast.nameKey} className="upcoming-line upcoming-day">
            <Badge tone={TONES[forecast.level]}>{LEVEL_TEXT[forecast.level]}</Badge>
            <span>
              <span className="font-semibold">{forecast.name}</span> {forecastText(forecast)}
            </span>
          </li>
        ))}
        {supplies.map(({ id, name, level, text }) => (
          <li key={id} className="upcoming-line upcoming-day">
            <Badge tone={TONES[level]}>{LEVEL_TEXT[level]}</Badge>
            <span>
              <span className="font-semibold">{name}</span> {text}
            </span>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-x-4 py-2 text-sm">
        <Link to="/dashboard/vials" className="inline-flex min-h-11 items-center">
          Vials
        </Link>
        <Link to="/dashboard/supplies" className="inline-flex min-h-11 items-center">
          Supplies
        </Link>
      </p>
    </section>
  );
}

const TONES: Readonly<Record<StockForecast['level'], BadgeTone>> = {
  unknown: 'soft',
  ok: 'good',
  amber: 'warn',
  red: 'danger',
};

const LEVEL_TEXT: Readonly<Record<StockForecast['level'], string>> = {
  unknown: 'Unknown',
  ok: 'Enough',
  amber: 'Low',
  red: 'Very low',
};

const MISSING: Readonly<Record<NonNullable<StockForecast['why']>, string>> = {
  'no-doses': 'no upcoming doses',
  'no-vials': 'you have no vial with this name',
  'no-amount': 'a dose has no amount',
};

function forecastText(forecast: StockForecast): string {
  const { why, runOutDay, daysOfSupply, expiredMg, measure, amountsOf, until } = forecast;
  if (why !== null) return MISSING[why];
  const lasts =
    runOutDay === null || daysOfSupply === null
      ? `lasts beyond ${shownDay(until)}`
      : lastsText(runOutDay, daysOfSupply);
  const expired = expiredMg === '0' ? '' : ` ${amountInStock(expiredMg, measure, amountsOf)} is expired.`;
  return `${lasts}.${wasteNote(forecast)}${expired}${estimateNote(forecast)}`;
}

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="dose-group">
      <h2 id={id}>{title}</h2>
      <ul className="sheet">{children}</ul>
    </section>
  );
}

/** Note below a truncated list. */
export function MoreNotShown({ count, children }: { count: number; children?: ReactNode }) {
  return (
    <p className="py-2 text-sm text-soft">
      {`Showing the first ${count}.`} {children}
    </p>
  );
}
