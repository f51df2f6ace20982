import { courseSummary, describeSchedule, doseSummary } from '#app/domain/schedules/describe-schedule.ts';
import { shownDay, shownDose, shownIn, shownPhases } from '#app/domain/schedules/schedule-view.ts';
import { calendarDay } from '#app/domain/time/days.ts';
import { getSchedule, listSchedules, nextDosesOf, type ScheduleView } from './schedules.server.ts';
import { listPages, queryOf } from '#app/platform/http/list-page.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

/** A schedule as one line of the list. */
export function scheduleRow(schedule: ScheduleView, readersZone: string) {
  const next = schedule.nextDoseDate;
  return {
    id: schedule.id,
    name: schedule.name,
    isActive: schedule.isActive,
    words: describeSchedule(schedule),
    dose: doseSummary(schedule),
    next: next === null ? null : shownIn(next, schedule.timeZone, readersZone),
    timeZone: schedule.timeZone,
    keptIn: schedule.keptIn,
  };
}

/** What the list of schedules shows. */
export async function readSchedulesPage({ ctx, url }: UserPageArgs) {
  const page = await listSchedules(ctx, queryOf(url, 'page', 'limit'));
  return {
    homeZone: ctx.timeZone,
    rows: page.items.map((schedule) => scheduleRow(schedule, ctx.timeZone)),
    pages: listPages(url, page),
  };
}

const NEXT_DOSES = 7;

function factRows(schedule: ScheduleView, readersZone: string): [name: string, text: string][] {
  const {
    timeZone,
    nextDoseDate,
    lastDoseDate,
    startDate,
    endDate,
    course,
    reminderLeadMinutes: lead,
  } = schedule;
  const facts: [string, string | null][] = [
    ['How often', describeSchedule(schedule)],
    ['Dose', doseSummary(schedule)],
    ['Course', course === null ? null : courseSummary(course)],
    ['First day', shownDay(startDate)],
    ['Last day', endDate === null ? 'None, it goes on' : shownDay(endDate)],
    ['Time zone', timeZone.replaceAll('_', ' ')],
    ['Next dose', nextDoseDate === null ? 'None' : shownIn(nextDoseDate, timeZone, readersZone)],
    ['Last taken', lastDoseDate === null ? null : shownIn(lastDoseDate, timeZone, readersZone)],
    ['Route', schedule.route],
    ['Reminder', lead === 0 ? 'At the time of the dose' : `${lead} minutes before`],
    ['Notes', schedule.notes],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

/** What the page of one schedule shows. */
export async function readSchedulePage({ ctx, params }: UserPageArgs) {
  const schedule = await getSchedule(ctx, params.id ?? '');
  const doses = await nextDosesOf(ctx, schedule.id, NEXT_DOSES);
  return {
    ...scheduleRow(schedule, ctx.timeZone),
    compoundId: schedule.compoundId,
    facts: factRows(schedule, ctx.timeZone),
    phases: shownPhases(schedule, calendarDay(ctx.now(), schedule.timeZone)),
    doses: doses.map((dose) => ({ id: dose.id, ...shownDose(dose, dose) })),
  };
}
