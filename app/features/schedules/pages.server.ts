import { measureOf } from '#app/domain/vials/vial.ts';
import { sentenceCase } from '#app/domain/text/sentence-case.ts';
import { blendChoices, type BlendChoice, doseWords, namedDose } from '#app/domain/vials/contents.ts';
import { leftOfWords } from '#app/domain/vials/vial-texts.ts';
import { randomUUID } from 'node:crypto';
import { data } from '@remix-run/node';
import { AppError, isAppError, STATUS } from '#app/domain/errors.ts';
import { planKey } from '#app/domain/doses/dose-warnings.ts';
import { takeMeantUnit } from '#app/domain/units/meant-mcg.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { scheduleDetailsOf, scheduleSchema } from '#app/domain/schedules/schedule-schema.ts';
import {
  shownPreview,
  type ShownPreview,
  shownDay,
  shownDose,
  shownIn,
  shownPhases,
} from '#app/domain/schedules/schedule-view.ts';
import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import {
  scheduleFormSchema,
  sentValues,
  valuesOf,
  type PlanQuestion,
  type ScheduleValues,
  type ShownSchedule,
} from '#app/domain/schedules/schedule-form-schema.ts';
import { canBeginAgain, hasEnded, travelFormSchema } from '#app/domain/schedules/plan-change-schema.ts';
import {
  shiftText,
  PAUSE_MESSAGES,
  pauseOn,
  pauseText,
  type PlannedPause,
  type ScheduleSwap,
} from '#app/domain/schedules/plan-changes.ts';
import { pauseFormSchema } from '#app/domain/schedules/pause-schema.ts';
import { plural } from '#app/domain/text/plural.ts';
import { shownDay as shownCalendarDay } from '#app/domain/time/calendar.ts';
import { calendarDay, timeZoneChoices, zoneName } from '#app/domain/time/zoned-time.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import {
  previewSchedule,
  getSchedule,
  listSchedules,
  hasUnloggedPast,
  listNextDoses,
  type ScheduleView,
} from './schedules.server.ts';
import { findCeiling } from '#app/features/amounts/index.server.ts';
import { submit, done, type LastResult } from '#app/platform/http/forms.server.ts';
import {
  BUILT_IN_TEMPLATES,
  templateSources,
  type TemplateFacts,
} from '#app/domain/schedules/schedule-templates.ts';
import {
  describeSchedule,
  doseSummary,
  courseSummary,
  vialEndText,
} from '#app/domain/schedules/describe-schedule.ts';
import { vialEndOf } from './planned-doses.server.ts';
import { endPause, savePause } from './plan-changes.server.ts';
import { listTemplates, getTemplateFacts } from './schedule-templates.server.ts';
import { saveTravelChoices, listTravelQuestions } from './schedule-travel.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { listPages, queryOf } from '#app/platform/http/addresses.ts';
import { repos } from './repositories.server.ts';

export async function readSchedulesPage({ ctx, url }: UserPageArgs) {
  const page = await listSchedules(ctx, queryOf(url, 'page', 'limit'));
  return {
    homeZone: ctx.timeZone,
    rows: page.items.map((schedule) => ({
      ...scheduleRow(schedule, ctx),
      hasEnded: hasEnded(schedule, ctx.now()),
    })),
    pages: listPages(url, page),
  };
}

/** A schedule as one line of the list. */
export function scheduleRow(
  schedule: ScheduleView,
  { timeZone: readersZone, now }: Pick<Ctx, 'timeZone' | 'now'>,
) {
  const next = schedule.nextDoseDate;
  const pause = pauseOn(schedule.pauses, calendarDay(now(), schedule.timeZone));
  return {
    id: schedule.id,
    name: schedule.name,
    isActive: schedule.isActive,
    words: describeSchedule(schedule),
    dose: doseSummary(schedule),
    pausedUntil: pause === null ? null : shownCalendarDay(pause.lastDay),
    isAsNeeded: schedule.frequency.kind === 'as-needed',
    next: next === null ? null : shownIn(next, schedule.timeZone, readersZone),
    timeZone: schedule.timeZone,
    keptIn: schedule.keptIn,
  };
}

const NEXT_DOSES = 7;

export async function readSchedulePage({ ctx, user, params }: UserPageArgs) {
  const schedule = await getSchedule(ctx, params.id ?? '');
  const [doses, asksAboutPast, endsAbout, vial] = await Promise.all([
    listNextDoses(ctx, schedule.id, NEXT_DOSES),
    hasUnloggedPast(ctx, schedule),
    vialEndOf(ctx, user.id, schedule),
    schedule.compoundId === null ? null : repos(ctx).vials.find(user.id, schedule.compoundId),
  ]);
  return {
    asksAboutPast,
    ...scheduleRow(schedule, ctx),
    canBeginAgain: canBeginAgain(schedule, ctx.now()),
    compoundId: schedule.compoundId,
    vialText: vial === null ? null : [vial.name, vial.lot && `lot ${vial.lot}`].filter(Boolean).join(', '),
    ceiling: await findCeiling(ctx, schedule.name),
    hasEnded: hasEnded(schedule, ctx.now()),
    hasStopped: schedule.stopsAt instanceof Date && schedule.stopsAt <= ctx.now(),
    facts: factRows(schedule, endsAbout, ctx),
    phases: shownPhases(schedule, calendarDay(ctx.now(), schedule.timeZone)),
    doses: doses.map((dose) => ({ id: dose.id, ...shownDose(dose, dose) })),
  };
}

function factRows(
  schedule: ScheduleView,
  endsAbout: string | null,
  { timeZone: readersZone, now }: Pick<Ctx, 'timeZone' | 'now'>,
): [name: string, text: string][] {
  const { frequency, timeZone, lastDoseDate, startDate, course, firstDueAt } = schedule;
  const isPlanned = frequency.kind !== 'as-needed';
  const lead = schedule.reminderLeadMinutes;
  const facts: [string, string | null][] = [
    ['How often', describeSchedule(schedule)],
    ['Changes', swapsText(schedule, calendarDay(now(), timeZone))],
    ['Moved', shiftText(schedule.moves)],
    ['Paused', comingPauses(schedule, calendarDay(now(), timeZone)).map(pauseText).join(', ') || null],
    ['Dose', doseSummary(schedule)],
    ['Course', course === null ? null : courseSummary(course)],
    ['First day', firstDueAt ? null : shownDay(startDate)],
    ['First dose due', firstDueAt ? shownIn(firstDueAt, timeZone, readersZone) : null],
    ['Last day', lastDayText(schedule)],
    ['Vial', sentenceCase(vialEndText(schedule, endsAbout) ?? '') || null],
    ['Time zone', zoneName(timeZone)],
    ['Next dose', isPlanned ? nextDoseText(schedule, readersZone) : null],
    ['Last taken', lastDoseDate === null ? null : shownIn(lastDoseDate, timeZone, readersZone)],
    ['Route', schedule.route],
    ['Reminder', isPlanned ? reminderText(lead) : null],
    ['Notes', schedule.notes],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

/** Past and future swaps as text. */
function swapsText({ swaps, doseUnit }: ScheduleView, today: string): string | null {
  const texts = (swaps ?? []).map((swap) => {
    const when = `${swap.fromDay <= today ? 'since' : 'from'} ${shownCalendarDay(swap.fromDay)}`;
    return `${when} ${swapWords(swap, { doseUnit })}`;
  });
  return texts.join('; ') || null;
}

/** "TB-500, 2 mg"; only the name if the schedule's own dose still applies. */
export function swapWords(
  { name, doseAmount, blend }: Pick<ScheduleSwap, 'name' | 'doseAmount' | 'blend'>,
  { doseUnit }: Pick<ScheduleView, 'doseUnit'>,
): string {
  return doseAmount === null ? name : namedDose(name, doseWords(doseAmount, doseUnit, blend), blend);
}

/** Current and future pauses. */
const comingPauses = ({ pauses }: Pick<ScheduleView, 'pauses'>, today: string): PlannedPause[] =>
  (pauses ?? []).filter(({ lastDay }) => lastDay >= today);

const nextDoseText = ({ nextDoseDate, timeZone }: ScheduleView, readersZone: string): string =>
  nextDoseDate === null ? 'None' : shownIn(nextDoseDate, timeZone, readersZone);

const reminderText = (lead: number): string =>
  lead === 0 ? 'At the time of the dose' : `${plural(lead, 'minute')} before`;

function lastDayText({ frequency, startDate, endDate, endsWithVial }: ScheduleView): string | null {
  if (frequency.kind === 'once') return shownDay(startDate);
  if (endDate === null && endsWithVial === true) return null;
  return endDate === null ? 'None' : shownDay(endDate);
}

/** Initial values of a new schedule: empty, from `?template=` or for `?vial=`. */
export async function readNewScheduleValues(ctx: Ctx, user: SignedInUser, url: URL): Promise<ScheduleValues> {
  const template = url.searchParams.get('template');
  const vialId = url.searchParams.get('vial');
  if (template !== null) {
    const { frequency, reminderLeadMinutes, ...facts } = await getTemplateFacts(ctx, template);
    const lead = reminderLeadMinutes === null ? {} : { reminderLeadMinutes };
    const values = await newScheduleValues(ctx, user, {
      ...facts,
      ...lead,
      ...(frequency === null ? {} : { frequency }),
    });
    return frequency === null ? { ...values, single: { ...values.single, 'frequency.kind': '' } } : values;
  }
  if (vialId === null) return newScheduleValues(ctx, user);
  const vial = await repos(ctx).vials.find(user.id, vialId);
  if (vial === null) throw new AppError('NOT_FOUND', 'Vial not found.');
  const unit = measureOf(vial) === 'IU' ? { doseUnit: 'IU' as const } : {};
  return newScheduleValues(ctx, user, { name: vial.name, compoundId: vial.id, ...unit });
}

/** Initial values of a schedule that starts today. `kept` comes from a template or a vial. */
async function newScheduleValues(
  ctx: Ctx,
  user: SignedInUser,
  copiedFields: Partial<Omit<ShownSchedule, 'startDate' | 'timeZone'>> = {},
): Promise<ScheduleValues> {
  const { leadDefault } = await getNotificationChoices(ctx, user.id);
  const doseUnit: DoseUnit = user.doseUnit;
  const values = valuesOf({
    name: '',
    compoundId: null,
    doseAmount: '',
    doseUnit,
    frequency: { kind: 'daily' },
    times: ['08:00'],
    ...scheduleDetailsOf({}),
    reminderLeadMinutes: leadDefault,
    ramp: null,
    course: null,
    ...copiedFields,
    timeZone: ctx.timeZone,
    startDate: calendarDay(ctx.now(), ctx.timeZone),
    endDate: copiedFields.endDate ?? null,
  });
  return { ...values, single: { ...values.single, saveKey: randomUUID() } };
}

/** Maximum number of vials in the form. */
const MAX_VIALS = 100;

/**
 * The options of the form's selects.
 * @param changed the schedule being edited, whose blend is offered even if its vials are used up
 */
export async function scheduleFormOptions(ctx: Ctx, user: SignedInUser, changed?: ScheduleView) {
  authorise(ctx.actor, 'vial.read', { ownerId: user.id });
  const active = await repos(ctx).vials.listActive(user.id);
  const sorted = active.toSorted((a, b) => a.name.localeCompare(b.name, 'en')).slice(0, MAX_VIALS);
  const vials = sorted.map((vial) => ({
    value: vial.id,
    label: `${vial.name}, ${leftOfWords(vial)} left`,
  }));
  const blends = [...blendChoices(sorted), ...ownBlend(changed)];
  return { vials, blends, timeZones: timeZoneChoices(ctx.now()) };
}

const ownBlend = (changed: ScheduleView | undefined): BlendChoice[] =>
  changed?.blend
    ? [
        {
          ...{ id: changed.compoundId ?? '', name: changed.name },
          components: changed.blend.components.map(({ name }) => name),
        },
      ]
    : [];

/** The reply when the form is shown again. */
interface ScheduleReply {
  values: ScheduleValues;
  lastResult: LastResult | null;
  preview: ShownPreview | null;
  /** Saving was attempted but rejected. */
  isRefused: boolean;
  /** A question to answer before it is saved. */
  question: PlanQuestion | null;
}

const shownAgain = (reply: Partial<ScheduleReply>, init: ResponseInit, sent: LastResult['initialValue']) =>
  data<ScheduleReply>(
    {
      ...{ values: sentValues(sent), lastResult: null, preview: null, isRefused: false, question: null },
      ...reply,
    },
    init,
  );

/**
 * Previews or saves the form, depending on the button. Errors that the person can fix are shown with the form.
 * @param save receives the fields in the shape of the schema, and returns the answer
 * @param changedId id of the schedule being edited; null for a new one
 */
export function submitScheduleForm<T>(
  request: Request,
  ctx: Ctx,
  save: (body: Record<string, unknown>) => Promise<T>,
  changedId: string | null = null,
) {
  return submit(
    request,
    scheduleFormSchema,
    async ({ step, ...body }, reply) => {
      const sent = reply().initialValue;
      if (step === 'preview') {
        const { rule, ...found } = await previewSchedule(ctx, body, changedId);
        const preview = shownPreview(rule, found, calendarDay(ctx.now(), rule.timeZone));
        return shownAgain({ preview }, {}, sent);
      }
      try {
        return await save(body);
      } catch (error) {
        if (!isAppError(error) || error.code !== 'CONFIRM_DOSE') throw error;
        return shownAgain({ question: planQuestion(body, error) }, { status: STATUS.CONFIRM_DOSE }, sent);
      }
    },
    {
      refused: ({ status, error, initialValue }, init) => {
        const lastResult: LastResult | null = error === undefined ? null : { status, error };
        const isRefused = lastResult !== null && initialValue?.['step'] !== 'preview';
        return shownAgain({ lastResult, isRefused }, init, initialValue);
      },
      edit: (form) => takeMeantUnit(form, { amount: 'doseAmount', unit: 'doseUnit' }),
    },
  );
}

/** The question about the amounts of a schedule. */
function planQuestion(body: Record<string, unknown>, { warnings = [] }: AppError): PlanQuestion {
  const { name, doseAmount, doseUnit, ramp } = parseInput(scheduleSchema, body);
  const plan = { doseAmount: doseAmount ?? '', doseUnit, ramp: ramp ?? null };
  return {
    messages: warnings.map(({ message }) => message),
    confirmedAmount: planKey(name ?? '', plan),
    slip: plan.ramp === null ? (warnings.find(({ slip }) => slip !== undefined)?.slip ?? null) : null,
  };
}

/** Data of the pauses page. `?pause=` is the first day of the pause to change. */
export async function readPausesPage({ ctx, params, url }: UserPageArgs) {
  const schedule = await getSchedule(ctx, params.id ?? '');
  const today = calendarDay(ctx.now(), schedule.timeZone);
  const pauses = comingPauses(schedule, today).map((pause) => ({
    ...pause,
    text: pauseText(pause),
    hasBegun: pause.firstDay <= today,
  }));
  return {
    id: schedule.id,
    name: schedule.name,
    today,
    pauses,
    changed: pauses.find(({ firstDay }) => firstDay === url.searchParams.get('pause')) ?? null,
  };
}

/** Saves the form of a pause, or ends one. */
export function submitPause({ request, ctx, params }: UserPageArgs) {
  const id = params.id ?? '';
  return submit(request, pauseFormSchema, async (input) => {
    if (input.intent === 'end') {
      await endPause(ctx, id, input.pause);
      return done(`/dashboard/schedule/${id}`, PAUSE_MESSAGES.ended);
    }
    const { firstDay, lastDay, pause } = input;
    await savePause(ctx, id, { firstDay, lastDay }, pause || null);
    return done(`/dashboard/schedule/${id}`, PAUSE_MESSAGES.saved);
  });
}

export async function readTemplatesPage({ ctx }: UserPageArgs) {
  const own = await listTemplates(ctx);
  return {
    own: own.map(({ id, title, facts }) => ({ id, title, words: summaryOf(facts), sources: [] })),
    builtIn: BUILT_IN_TEMPLATES.map((template) => ({
      id: template.id,
      title: template.facts.name,
      words: template.words,
      sources: templateSources(template),
    })),
  };
}

function summaryOf({ frequency, times, ...facts }: TemplateFacts): string {
  const often = frequency === null ? `At ${times.join(', ')}` : describeSchedule({ frequency, times });
  return `${often}, ${doseSummary(facts)}.`;
}

export async function readSaveTemplatePage({ ctx, params }: UserPageArgs) {
  const { id, name } = await getSchedule(ctx, params.id ?? '');
  return { id, name, saveKey: randomUUID() };
}

/**
 * Data of the travel page. The zone in the URL defaults to the profile's, for which there is nothing to choose.
 */
export async function readTravelPage({ ctx, url }: UserPageArgs) {
  const zone = url.searchParams.get('zone') ?? ctx.timeZone;
  const questions = await listTravelQuestions(ctx, zone);
  return {
    zone,
    questions: questions.map(({ doses, ...question }) => ({
      ...question,
      doses: doses.map(({ homeInstant: _home, localInstant: _local, ...dose }) => dose),
    })),
  };
}

/** Saves the travel form, which has one choice per schedule. */
export function submitTravel({ ctx, url, request }: UserPageArgs) {
  return submit(request, travelFormSchema, async ({ choice }) => {
    const choices = new Map(Object.entries(choice));
    await saveTravelChoices(ctx, url.searchParams.get('zone') ?? ctx.timeZone, choices);
    return done('/dashboard/schedule/all', 'Choices saved');
  });
}
