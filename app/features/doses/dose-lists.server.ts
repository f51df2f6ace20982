import { DAY_MS } from '#app/domain/time/calendar.ts';
import { DateTime } from 'luxon';
import { calendarDay, daysBetween, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { pageFrom, type PageRequest } from '#app/platform/pagination.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { calendarGrid, type CalendarGrid, type CalendarView } from '#app/domain/doses/calendar-grid.ts';
import { doseLine, type DoseLine } from '#app/domain/doses/dose-line.ts';
import {
  listDosesSchema,
  type ListDosesInput,
  adherenceSchema,
  ADHERENCE_MESSAGES,
  type AdherenceInput,
} from '#app/domain/doses/dose-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { fieldError } from '#app/domain/errors.ts';
import type { PausedLine } from '#app/domain/doses/draw-line.ts';
import { pausesBetween, partOn } from '#app/domain/schedules/plan-changes.ts';
import type { DoseRecord, DoseSelection } from '#models/index.server.ts';
import { repos } from './repositories.server.ts';

/** One page of a list of doses. */
interface DosePage {
  doses: DoseRecord[];
  page: number;
  limit: number;
  /** Number of doses on all pages. */
  total: number;
  /** The cursor of the next page; null at the end. */
  next: string | null;
}

/**
 * Doses of a status and a period, changed since an instant, oldest first, 100 on a page. Without any of these: from 24 hours ago to 7 days ahead.
 * `overdue` lists the pending doses that are already due, however long ago.
 * @throws AppError INVALID_INPUT, PREMIUM_REQUIRED
 */
export async function listDoses(ctx: Ctx, input: ListDosesInput = {}, email?: string): Promise<DosePage> {
  const owner = await premiumOwner(ctx, 'dose.read', email);
  const { status, overdue, page, limit, cursor, updatedSince, ...days } = parseInput(listDosesSchema, input);
  const state = overdue ? 'pending' : status;
  const asked = { ...days, overdue, isAnyTime: state !== undefined || updatedSince !== undefined };
  const period = periodOf(asked as Parameters<typeof periodOf>[0], owner.timeZone, ctx.now());
  const chosen = { ...period, updatedSince, ...(state !== undefined && { status: state }) };
  const { items, paging } = await pageOfDoses(ctx, owner.id, { page, limit, cursor }, chosen);
  return { doses: items, ...paging };
}

/** A page of the selected doses, earliest first. @throws AppError INVALID_INPUT for a cursor of another list */
const pageOfDoses = (ctx: Ctx, ownerId: string, request: PageRequest, chosen: DoseSelection) =>
  pageFrom<DoseRecord>(request, {
    name: 'doses',
    kinds: ['instant', 'text'],
    placeOf: ({ dueDate, id }) => [dueDate, id],
    read: (slice) => repos(ctx).doses.list(ownerId, { ...chosen, ...slice }),
    count: () => repos(ctx).doses.count(ownerId, chosen),
  });

/** Whole days of the owner's time zone; without days, status and `updatedSince` from 24 hours ago to 7 days ahead. */
function periodOf(
  {
    startDate,
    endDate,
    overdue,
    isAnyTime,
  }: { startDate?: string; endDate?: string; overdue: boolean; isAnyTime: boolean },
  timeZone: string,
  now: Date,
): Pick<DoseSelection, 'from' | 'before'> {
  const range = instantsOfDays(startDate ?? null, endDate ?? null, timeZone);
  const hasRange = startDate !== undefined || endDate !== undefined || isAnyTime;
  const around = { from: new Date(now.getTime() - DAY_MS), before: new Date(now.getTime() + 7 * DAY_MS) };
  const from = hasRange ? range.from : around.from;
  const end = hasRange ? range.before : around.before;
  const before = overdue && (end === null || end > now) ? now : end;
  return { ...(from && { from }), ...(before && { before }) };
}

/** A calendar page with its doses. */
interface CalendarPage {
  grid: CalendarGrid;
  doses: DoseLine[];
  /** Planned pauses that overlap the page. */
  paused: PausedLine[];
  /** Whether there are more doses than the page shows. */
  more: boolean;
}

/**
 * The doses of a calendar page, by the days of the owner's time zone.
 * @param on YYYY-MM-DD, a day on the page
 * @throws AppError PREMIUM_REQUIRED
 */
export async function getCalendar(ctx: Ctx, view: CalendarView, on: string): Promise<CalendarPage> {
  const { id, timeZone } = await premiumOwner(ctx, 'dose.read');
  const grid = calendarGrid(view, on);
  const { from, before } = instantsOfDays(grid.first, grid.last, timeZone);
  const period = { ...(from && { from }), ...(before && { before }) };
  const [found, paused] = await Promise.all([
    repos(ctx).doses.list(id, { ...period, limit: MAX_CALENDAR_DOSES + 1 }),
    pausedLines(ctx, id, grid.first, grid.last),
  ]);
  const now = ctx.now();
  return {
    grid,
    doses: found.slice(0, MAX_CALENDAR_DOSES).map((dose) => doseLine(dose, timeZone, now)),
    paused,
    more: found.length > MAX_CALENDAR_DOSES,
  };
}

/** Maximum number of schedules with planned pauses on a page. */
const MAX_PAUSED = 50;

/** The planned pauses of an owner's active schedules that overlap a range of days, both ends included. */
export async function pausedLines(
  ctx: Ctx,
  ownerId: string,
  first: string,
  last: string,
): Promise<PausedLine[]> {
  const schedules = await repos(ctx).schedules.listResting(ownerId, first, MAX_PAUSED);
  return schedules
    .filter(({ isActive }) => isActive)
    .flatMap((schedule) =>
      pausesBetween(schedule.pauses, first, last).map(({ firstDay, lastDay }) => ({
        scheduleId: schedule.id,
        name: partOn(schedule, firstDay).name,
        firstDay,
        lastDay,
      })),
    );
}

/** Maximum number of doses on a calendar page. */
const MAX_CALENDAR_DOSES = 3000;

/** A dose as a calendar event. Day and time are in the owner's time zone. */
interface CalendarEvent {
  date: string;
  time: string;
  doseId: string;
  scheduleId: string | null;
  name: string;
  dueDate: Date;
  status: DoseRecord['status'];
  title: string;
}

/**
 * The doses of a period as calendar events, earliest first: one page of them, and the total on all pages.
 * @throws AppError INVALID_INPUT, PREMIUM_REQUIRED
 */
export async function listCalendarEvents(
  ctx: Ctx,
  input: AdherenceInput = {},
  request: PageRequest = { page: 1, limit: MAX_CALENDAR_DOSES },
): Promise<{ events: CalendarEvent[]; page: number; limit: number; total: number; next: string | null }> {
  const { id, timeZone } = await premiumOwner(ctx, 'dose.read');
  const now = ctx.now();
  const { first, last } = calendarDays(input, calendarDay(now, timeZone));
  const { from, before } = instantsOfDays(first, last, timeZone);
  const period = { ...(from && { from }), ...(before && { before }) };
  const { items, paging } = await pageOfDoses(ctx, id, request, period);
  const events = items.map((dose) => {
    const { day: date, time, amountText } = doseLine(dose, timeZone, now);
    const { scheduleId, name, dueDate, status } = dose;
    return { date, time, doseId: dose.id, scheduleId, name, dueDate, status, title: `${name} ${amountText}` };
  });
  return { events, ...paging };
}

/** The requested days, by default this month. @throws AppError INVALID_INPUT */
function calendarDays(input: AdherenceInput, today: string): { first: string; last: string } {
  const { startDate, endDate } = parseInput(adherenceSchema, input);
  const month = DateTime.fromISO(startDate ?? endDate ?? today, { zone: 'utc' });
  const first = startDate ?? month.startOf('month').toFormat('yyyy-MM-dd');
  const last = endDate ?? month.endOf('month').toFormat('yyyy-MM-dd');
  const message =
    last < first
      ? ADHERENCE_MESSAGES.order
      : daysBetween(first, last) >= MAX_CALENDAR_DAYS
        ? `Choose at most ${MAX_CALENDAR_DAYS} days`
        : null;
  if (message !== null) throw fieldError('end', message);
  return { first, last };
}

/** Maximum length of a period in one call. */
const MAX_CALENDAR_DAYS = 93;
