import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { orFailed } from '#app/platform/http/failed-call.server.ts';
import { data, redirect } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import { missedDoseTexts } from '#app/domain/doses/missed-dose.ts';
import {
  shownInstant,
  calendarDay,
  daysBefore,
  localDateTime,
  momentField,
} from '#app/domain/time/zoned-time.ts';
import { type DoseWarning, amountKey } from '#app/domain/doses/dose-warnings.ts';
import { isAppError, STATUS, AppError } from '#app/domain/errors.ts';
import {
  DOSE_MESSAGES,
  type LogDoseInput,
  doseFormSchema,
  logFormSchema,
  takeFormSchema,
  backfillSchema,
  togetherFormSchema,
} from '#app/domain/doses/dose-schema.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  getDose,
  logDose,
  missDose,
  skipDose,
  takeDose,
  setDoseSite,
  undoDose,
  previewDose,
  previewLog,
  type LogPreview,
  type TakeOutcome,
} from './doses.server.ts';
import { previewAsNeeded, takeAsNeeded } from './as-needed.server.ts';
import { listChangedDraws } from './read-back.server.ts';
import { submit, done, flash, type FlashContent, type LastResult } from '#app/platform/http/forms.server.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import { meansAnother, takeMeantUnit } from '#app/domain/units/meant-mcg.ts';
import { doseInUnit } from '#app/domain/units/quantity.ts';
import type { PageArgs, UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { drawLines, type DrawLine } from '#app/domain/doses/draw-line.ts';
import { blendChoices, type BlendChoice } from '#app/domain/vials/contents.ts';
import { leftWords } from '#app/domain/vials/vial-texts.ts';
import { measureOf, vialNameKey, type Vial, beyondUseDay } from '#app/domain/vials/vial.ts';
import { MOVE_MESSAGES, type MoveScope } from '#app/domain/schedules/plan-changes.ts';
import { plural } from '#app/domain/text/plural.ts';
import { shownDay, isCalendarDay, dayLabel } from '#app/domain/time/calendar.ts';
import type { DoseRecord } from '#models/index.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { shownQuestion, type ShownQuestion } from '#app/domain/doses/dose-question.ts';
import { linesOfDoses, listSlotDoses, takeDoses, undoDoses } from './doses-together.server.ts';
import { backfillDoses, listUnloggedDoses, type BackfillDays } from './backfill.server.ts';
import { doseLine } from '#app/domain/doses/dose-line.ts';
import { moveDoseSchema } from '#app/domain/schedules/plan-change-schema.ts';
import { moveDose, previewMove, type MovePreview } from '#app/features/schedules/index.server.ts';
import { injectionSchema, type InjectionFields } from '#app/domain/doses/injection-schema.ts';
import { describeDoseSite, logSite, siteRotation } from '#app/features/tracking/index.server.ts';
import { isInjected, siteName } from '#app/domain/tracking/sites.ts';
import { doseHref } from './dose-line.tsx';
import { repos } from './repositories.server.ts';

/** The page that every dose form redirects to. */
const TODAY = '/dashboard/schedule';

/** The pages that a dose can be logged from with one press. */
type From = 'today' | 'calculator' | undefined;

const pageOf = (from: From): string => (from === 'calculator' ? '/dashboard' : TODAY);

/** What the next page says about a dose that was just taken, with its undo and the suggested site. */
async function takenMessage(ctx: Ctx, dose: DoseRecord, from?: From): Promise<FlashContent> {
  const { name, amountText, takenText } = doseLine(dose, ctx.timeZone, ctx.now());
  const to = doseHref(dose.id);
  const back: Record<string, string> = from ? { from } : {};
  const next = dose.site === null && isInjected(dose.route) ? (await siteRotation(ctx)).next : null;
  return {
    title: DOSE_MESSAGES.taken,
    message: `${name} ${amountText}${takenText === null ? '' : ` ${takenText.replace('Taken', 'taken')}`}`,
    actions: [
      ...(next === null
        ? []
        : [
            {
              label: `Add site: ${siteName(next.site)}`,
              to,
              fields: { intent: 'site', site: next.site, ...back },
            },
            { label: 'Other site', to: `${to}#site` },
          ]),
      { label: 'Undo', to, fields: { intent: 'undo', ...back } },
    ],
  };
}

/**
 * One dose of the signed-in user with what to draw for it.
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED
 */
export async function getDosePage(ctx: Ctx, id: string): Promise<DosePageView> {
  const owner = await premiumOwner(ctx, 'dose.read');
  const { dose, warnings, readBack } = await previewDose(ctx, id);
  const vials = await repos(ctx).vials.listActive(owner.id);
  const [line] = drawLines([dose], vials, {
    timeZone: owner.timeZone,
    syringe: owner.syringe,
    now: ctx.now(),
    readBacks: new Map(readBack === null ? [] : [[id, readBack]]),
  });
  const askedAmount = amountKey(dose.name, { text: dose.doseAmount, unit: dose.doseUnit });
  const missed = dose.status === 'missed' ? await missedTexts(ctx, owner, dose) : [];
  return {
    dose,
    missed,
    line: line as DrawLine,
    warnings,
    askedAmount,
    vials: vialsFor(dose, vials),
  };
}

async function missedTexts(
  ctx: Ctx,
  { id, timeZone }: { id: string; timeZone: string },
  { scheduleId }: DoseRecord,
): Promise<string[]> {
  const schedule = scheduleId === null ? null : await repos(ctx).schedules.find(id, scheduleId);
  if (schedule === null) return missedDoseTexts(null, null);
  const [pending] = await repos(ctx).doses.list(id, {
    scheduleId: schedule.id,
    status: 'pending',
    from: ctx.now(),
    limit: 1,
  });
  const due = pending?.dueDate ?? (schedule.isActive ? schedule.nextDoseDate : null);
  return missedDoseTexts(schedule.frequency, due === null ? null : shownInstant(due, timeZone));
}

/**
 * The buttons of one dose: taken, skipped, missed, undo, site. Warnings are confirmed on the page of the dose; the buttons on
 * other pages lead there.
 */
export function submitDoseForm({ request, ctx, params }: PageArgs) {
  const id = params['id'] ?? '';
  return submit(
    request,
    doseFormSchema,
    async (sent, reply) => {
      const { intent, from, ...input } = sent;
      const page = pageOf(from);
      const orSayFailed = <Result>(change: () => Promise<Result>) =>
        orFailed(ctx, DOSE_MESSAGES.failed, change);
      if (intent === 'undo') return done(page, await orSayFailed(() => undo(ctx, id)));
      if (sent.intent === 'site') {
        await orSayFailed(() => setDoseSite(ctx, id, sent.site));
        return done(page, `Site noted: ${siteName(sent.site)}`);
      }
      if (sent.intent === 'skipped' || sent.intent === 'missed') {
        const change = sent.intent === 'skipped' ? skipDose : missDose;
        await orSayFailed(() => change(ctx, id, { notes: sent.notes }));
        return done(page, DOSE_MESSAGES[sent.intent]);
      }
      const outcome = await orSayFailed(() => takeDose(ctx, id, input));
      if (outcome.done) return done(page, await takenMessage(ctx, outcome.dose, from));
      if (from) return redirect(`${TODAY}/doses/${id}?ask=1`);
      return askToConfirm(reply(), outcome);
    },
    { refused: refusedDose, edit: (form) => changeAmount(form, () => getDose(ctx, id)) },
  );
}

/**
 * Changes the amount of a planned dose to the one that was meant, in the dose's own unit: another tab may have changed that.
 * @returns whether the button for that was pressed
 */
async function changeAmount(form: FormData, find: () => Promise<{ doseUnit: DoseUnit }>): Promise<boolean> {
  if (!meansAnother(form)) return false;
  const { doseUnit } = await find();
  takeMeantUnit(form, { amount: 'actualDose', unit: (typed) => doseInUnit(typed, doseUnit) });
  return true;
}

/** The buttons on other pages and "Undo" have no form to return to, so the next page shows the error. */
function refusedDose(lastResult: LastResult, init: ResponseInit) {
  const { from, intent } = lastResult.initialValue ?? {};
  const page = from === 'today' || from === 'calculator' ? from : undefined;
  if (!page && intent !== 'undo') return data<DoseReply>({ lastResult }, init);
  return backWithError(pageOf(page), firstError(lastResult) ?? DOSE_MESSAGES.failed);
}

/** @returns what was undone */
async function undo(ctx: Ctx, id: string): Promise<string> {
  const { status } = await getDose(ctx, id);
  const left = await undoDose(ctx, id);
  if (left === null) return DOSE_MESSAGES.removed;
  // For a dose that is not logged yet, the move is undone.
  return status === 'pending' ? MOVE_MESSAGES.undone : DOSE_MESSAGES.undone;
}

/** Data of the page for logging an as-needed dose. */
export async function readTakePage({ ctx, params, url }: UserPageArgs) {
  const scheduleId = params['id'] ?? '';
  const { line, planned, doseUnit, doseOf, compoundId, warnings, askedAmount } = await previewAsNeeded(
    ctx,
    scheduleId,
  );
  const { id } = await premiumOwner(ctx, 'dose.read');
  const vials = vialsFor({ name: line.name, compoundId }, await repos(ctx).vials.listActive(id));
  const idempotencyKey = randomUUID();
  const isAsked = url.searchParams.has('ask');
  return {
    scheduleId,
    line,
    planned,
    doseUnit,
    doseOf,
    warnings,
    askedAmount,
    isAsked,
    vials,
    idempotencyKey,
  };
}

/** Logs an as-needed dose. Warnings are confirmed on its own page; the button on Today redirects there. */
export function submitTakeForm({ request, ctx, params }: UserPageArgs) {
  const scheduleId = params['id'] ?? '';
  return submit(
    request,
    takeFormSchema,
    async ({ from, idempotencyKey, ...input }, reply) => {
      const outcome = await takeAsNeeded(ctx, scheduleId, input, { idempotencyKey });
      if (outcome.done) return done(TODAY, await takenMessage(ctx, outcome.dose));
      if (from) return redirect(`${TODAY}/${scheduleId}/take?ask=1`);
      return askToConfirm(reply(), outcome);
    },
    { refused: refusedDose, edit: (form) => changeAmount(form, () => previewAsNeeded(ctx, scheduleId)) },
  );
}

/** The reply to a dose form that could not be completed. */
export interface DoseReply {
  lastResult: LastResult;
  /** Warnings to confirm, and the amount that they are about. */
  warnings?: DoseWarning[];
  askedAmount?: string;
  /** The dose was not only previewed, but waits for the answer. */
  isAsked?: boolean;
  /** For a dose without a schedule: what to draw, and what changed since the last one. */
  drawText?: string | null;
  readBack?: string | null;
}

/** Shows the form again with the warnings; sending it once more confirms them. */
const askToConfirm = (
  lastResult: LastResult,
  { warnings, askedAmount }: { warnings: DoseWarning[]; askedAmount: string },
) => data<DoseReply>({ lastResult, warnings, askedAmount, isAsked: true }, { status: 409 });

/** A logged dose without a schedule, or its preview. */
type LogOutcome = { done: true; dose: DoseRecord } | ({ done: false; isAsked: boolean } & LogPreview);

/**
 * Logs a dose without a schedule, or previews it if that was asked for or it has to be confirmed first.
 * @param describe adds to the logged dose, in the same act
 */
async function logOrPreview(
  ctx: Ctx,
  input: LogDoseInput,
  { idempotencyKey, isOnlyShown }: { idempotencyKey: string | undefined; isOnlyShown: boolean },
  describe: (doseId: string) => Promise<void> = () => Promise.resolve(),
): Promise<LogOutcome> {
  if (isOnlyShown) return { done: false, isAsked: false, ...(await previewLog(ctx, input)) };
  const outcome = await ctx.transaction(async (): Promise<TakeOutcome> => {
    const logged = await logDose(ctx, input, { idempotencyKey });
    if (logged.done) await describe(logged.dose.id);
    return logged;
  });
  if (outcome.done) return { done: true, dose: outcome.dose };
  return { done: false, isAsked: true, ...(await previewLog(ctx, input)) };
}

/** Shows the form again with what to draw and what to confirm. */
const showDraw = (
  lastResult: LastResult,
  { isAsked, warnings, askedAmount, drawText, readBack }: Extract<LogOutcome, { done: false }>,
) =>
  data<DoseReply>(
    { lastResult, warnings, askedAmount, isAsked, drawText, readBack },
    { status: isAsked ? 409 : 200 },
  );

/**
 * The compounds whose next dose is drawn differently from the last one, for the form that logs without a schedule.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function changedDraws(ctx: Ctx) {
  const owner = await premiumOwner(ctx, 'dose.read');
  return listChangedDraws(ctx, owner, await repos(ctx).vials.listActive(owner.id));
}

/** These pages reload completely, so they show the error as a toast. */
async function backWithError(page: string, message: string): Promise<never> {
  throw redirect(page, { headers: { 'Set-Cookie': await flash('error', message) } });
}

/** Data of the page for logging a dose without a schedule. `?name=` fills in the name. */
export async function readLogPage({ ctx, user, url }: UserPageArgs) {
  const [vials, changes] = await Promise.all([vialChoices(ctx), changedDraws(ctx)]);
  const names = [...new Set(vials.map((vial) => vial.name))];
  const name = url.searchParams.get('name') ?? '';
  return {
    changes,
    blends: vials.flatMap(({ blend }) => blend),
    doseUnit: vials.find((vial) => sameName(vial.name, name))?.isInIu ? ('IU' as const) : user.doseUnit,
    vials,
    names,
    idempotencyKey: randomUUID(),
    name,
  };
}

/** Logs a dose without a schedule, or shows what to draw for it. */
export function submitLogForm({ request, ctx }: PageArgs) {
  return submit(
    request,
    logFormSchema,
    async ({ intent, idempotencyKey, ...input }, reply) => {
      const isOnlyShown = intent === 'preview';
      const outcome = await logOrPreview(ctx, input, { idempotencyKey, isOnlyShown });
      if (!outcome.done) return showDraw(reply(), outcome);
      return done(TODAY, await takenMessage(ctx, outcome.dose));
    },
    { edit: (form) => takeMeantUnit(form, { amount: 'actualDose', unit: 'doseUnit' }) },
  );
}

/**
 * The signed-in user's vials that a dose can be drawn from.
 * @param name only those of this name
 * @throws AppError PREMIUM_REQUIRED
 */
async function vialChoices(ctx: Ctx, name?: string): Promise<VialChoice[]> {
  const { id } = await premiumOwner(ctx, 'dose.read');
  const vials = await repos(ctx).vials.listActive(id);
  const named = name === undefined ? vials : vials.filter((vial) => sameName(vial.name, name));
  return named.slice(0, MAX_CHOICES).map(choiceOf);
}

/** The vials that a scheduled dose can be drawn from: its own, and those with its name. */
const vialsFor = (
  { name, compoundId }: { name: string; compoundId: string | null },
  vials: readonly Vial[],
): VialChoice[] =>
  vials
    .filter((vial) => vial.id === compoundId || sameName(vial.name, name))
    .slice(0, MAX_CHOICES)
    .map(choiceOf);

/** Maximum number of vials in a select. */
const MAX_CHOICES = 100;

/** A vial to draw from, as a select shows it. */
interface VialChoice {
  value: string;
  label: string;
  /** Name of the compound. */
  name: string;
  /** True if its doses are in IU. */
  isInIu: boolean;
  /** The vial as a blend; empty for a single peptide. */
  blend: BlendChoice[];
}

/** "BPC-157, 4.75 mg left"; for a blend, what is left of each component. */
function choiceOf(vial: Vial): VialChoice {
  const last = beyondUseDay(vial);
  const until = last === null ? '' : `, until ${shownDay(last)}`;
  return {
    value: vial.id,
    name: vial.name,
    isInIu: measureOf(vial) === 'IU',
    blend: blendChoices([vial]),
    label: `${vial.name}, ${leftWords(vial)} left${until}`,
  };
}

const sameName = (a: string, b: string): boolean => vialNameKey(a) === vialNameKey(b);

/** The reply to taking doses together that could not be completed: what was sent, and what is asked. */
export interface TogetherReply {
  ids: string[];
  takenAt: string;
  questions: ShownQuestion[];
  error?: string | undefined;
}

/** Data of the page that takes the doses of a time slot; `?slot=` is its start, by default the latest that is due. */
export async function readTogetherPage({ ctx, url }: PageArgs) {
  const slot = new Date(url.searchParams.get('slot') ?? '');
  const doses = await listSlotDoses(ctx, Number.isNaN(slot.getTime()) ? undefined : slot);
  return { rows: await linesOfDoses(ctx, doses), path: `${url.pathname}${url.search}` };
}

/** Takes the ticked doses of a time slot, or undoes doses that were taken together. */
export function submitTogetherForm({ request, ctx }: PageArgs) {
  return submit(
    request,
    togetherFormSchema,
    async ({ intent, ...input }) => {
      if (intent === 'undo') {
        await orFailed(ctx, DOSE_MESSAGES.failed, () => undoDoses(ctx, input));
        return done(TODAY, DOSE_MESSAGES.undoneTogether);
      }
      const outcome = await orFailed(ctx, DOSE_MESSAGES.failed, () => takeDoses(ctx, input));
      if (outcome.done) return done(TODAY, `${plural(outcome.taken.length, 'dose')} marked as taken`);
      const questions = outcome.questions.map(shownQuestion);
      const sent = { ids: input.ids, takenAt: ('takenAt' in input && input.takenAt) || '' };
      return data<TogetherReply>({ ...sent, questions }, { status: 409 });
    },
    {
      refused: (lastResult, init, error) => {
        const message = firstError(lastResult) ?? DOSE_MESSAGES.failed;
        const isOver =
          error?.code === 'DOSE_ALREADY_LOGGED' || lastResult.initialValue?.['intent'] === 'undo';
        if (isOver) return backWithError(TODAY, message);
        const takenAt = String(lastResult.initialValue?.['takenAt'] ?? '');
        const ids = tickedIn(lastResult);
        return data<TogetherReply>({ ids, takenAt, questions: [], error: message }, init);
      },
    },
  );
}

/** Data of the page for past doses. */
export async function readBackfillPage(args: PageArgs) {
  const ticked = args.url.searchParams.get('all') === '1' ? null : [];
  const scheduleId = args.url.searchParams.get('schedule');
  if (scheduleId === null) {
    const days = daysOf(args);
    return { ...days, ...(await listUnloggedDoses(args.ctx, days)), scheduleId, ticked };
  }
  const days = { from: FIRST_DAY, to: calendarDay(args.ctx.now(), args.ctx.timeZone) };
  return { ...days, ...(await listUnloggedDoses(args.ctx, days, scheduleId)), scheduleId, ticked };
}

/** Before the first dose of any schedule. */
const FIRST_DAY = '1950-01-01';

/** The days in the URL, or the last seven. Longer periods are cut to their last 31 days. */
function daysOf({ ctx, url }: PageArgs): BackfillDays {
  const today = calendarDay(ctx.now(), ctx.timeZone);
  const query = (name: string) => {
    const text = url.searchParams.get(name) ?? '';
    return isCalendarDay(text) ? text : null;
  };
  const last = query('to') ?? today;
  const to = last > today ? today : last;
  const from = query('from') ?? daysBefore(to, 7);
  const earliest = daysBefore(to, 31);
  return { from: from > to ? to : from < earliest ? earliest : from, to };
}

/** The reply to a form that could not be completed. */
export interface BackfillReply {
  ticked: string[];
  error?: string | undefined;
  warnings?: DoseWarning[];
}

/** The doses that were ticked in a sent form. */
const tickedIn = ({ initialValue }: LastResult): string[] => [initialValue?.['ids'] ?? []].flat().map(String);

/** Logs the ticked doses. */
export function submitBackfill({ request, ctx }: PageArgs) {
  return submit(
    request,
    backfillSchema,
    async (input) => {
      const outcome = await backfillDoses(ctx, input);
      if (outcome.done) return done(TODAY, `${plural(outcome.count, 'dose')} marked as taken`);
      return data<BackfillReply>({ ticked: input.ids, warnings: outcome.warnings }, { status: 409 });
    },
    {
      refused: (lastResult, init) =>
        data<BackfillReply>({ ticked: tickedIn(lastResult), error: firstError(lastResult) }, init),
    },
  );
}

/** Data of a dose's page. */
interface DosePageView {
  dose: DoseRecord;
  /** For a missed dose: what its schedule says about it, and what can be done. */
  missed: string[];
  line: DrawLine;
  /** The warnings that taking it now as planned would give. */
  warnings: DoseWarning[];
  /** The amount the warnings are about. */
  askedAmount: string;
  vials: VialChoice[];
}

/** A preview of a move, as text. Days and times are in the owner's zone. */
interface ShownMove {
  scope: MoveScope;
  dueDate: string;
  rows: { from: string; to: string }[];
  /** Another dose of the schedule that would be too close; null if none is. */
  tooCloseTo: string | null;
}

function shownMove({ scope, doses, tooCloseTo }: MovePreview, dueDate: string, timeZone: string): ShownMove {
  const words = (at: Date) => {
    const [day = '', time = ''] = localDateTime(at, timeZone).split(' ');
    return `${dayLabel(day)}, ${time}`;
  };
  return {
    scope,
    dueDate,
    rows: doses.map(({ from, to }) => ({ from: words(from), to: words(to) })),
    tooCloseTo: tooCloseTo === null ? null : words(tooCloseTo),
  };
}

/** Data of the page for moving a dose, with a preview if the URL has a time. */
export async function readMovePage({ ctx, params, url }: PageArgs) {
  const id = params['id'] ?? '';
  const dose = await getDose(ctx, id);
  const query = { dueDate: url.searchParams.get('dueDate'), scope: url.searchParams.get('scope') ?? 'this' };
  const shown = {
    path: `/dashboard/schedule/doses/${id}`,
    line: doseLine(dose, ctx.timeZone, ctx.now()),
    isPending: dose.status === 'pending',
    hasFollowing: !dose.chain,
    dueDate: query.dueDate ?? momentField(dose.dueDate, ctx.timeZone),
    scope: query.scope,
  };
  if (!shown.isPending) return data({ ...shown, preview: null, problem: MOVE_MESSAGES.notPending });
  if (query.dueDate === null) return data({ ...shown, preview: null, problem: null });
  try {
    const move = { dueDate: query.dueDate, scope: query.scope as MoveScope };
    const preview = shownMove(await previewMove(ctx, id, move), query.dueDate, ctx.timeZone);
    return data({ ...shown, preview, problem: null });
  } catch (error) {
    if (!isAppError(error) || !['INVALID_INPUT', 'CONFLICT'].includes(error.code)) throw error;
    return data({ ...shown, preview: null, problem: error.message }, { status: STATUS[error.code] });
  }
}

/** Moves the dose as previewed. */
export function submitMove({ request, ctx, params }: PageArgs) {
  const id = params['id'] ?? '';
  return submit(request, moveDoseSchema, async (input) => {
    await moveDose(ctx, id, input);
    const message = input.scope === 'following' ? MOVE_MESSAGES.movedAll : MOVE_MESSAGES.moved;
    return done(`/dashboard/schedule/doses/${id}`, message);
  });
}

const TRACKING = '/dashboard/tracking';

/** The form below the body map: logs a dose with its site or only the site, or shows what to draw. */
export function submitInjectionForm({ request, ctx }: PageArgs) {
  return submit(
    request,
    injectionSchema,
    async ({ intent, ...input }, reply) => {
      const outcome = await logInjection(ctx, input, intent === 'preview');
      return 'warnings' in outcome ? showDraw(reply(), outcome) : done(TRACKING, outcome.message);
    },
    { edit: (form) => takeMeantUnit(form, { amount: 'dose', unit: 'doseUnit' }) },
  );
}

type InjectionOutcome = { message: string } | Extract<LogOutcome, { done: false }>;

async function logInjection(
  ctx: Ctx,
  input: Omit<InjectionFields, 'intent'>,
  isOnlyShown: boolean,
): Promise<InjectionOutcome> {
  const { record, confirmed, confirmedAmount, saveKey, doseOf, ...entry } = input;
  if (record === 'site') {
    if (isOnlyShown) throw new AppError('INVALID_INPUT', 'Nothing is drawn for “Only the site”.');
    await logSite(ctx, { ...entry, saveKey });
    return { message: 'Site noted' };
  }
  const { site, takenAt, name, dose, doseUnit, compoundId, ...noted } = entry;
  const optional = {
    ...(doseUnit && { doseUnit }),
    ...(doseOf && { doseOf }),
    ...(confirmedAmount && { confirmedAmount }),
    ...(compoundId && { compoundId }),
    ...(noted.notes && { notes: noted.notes }),
  };
  const outcome = await logOrPreview(
    ctx,
    { name: name ?? '', actualDose: dose ?? '', takenAt, site, confirmed, ...optional },
    { idempotencyKey: saveKey, isOnlyShown },
    (id) => describeDoseSite(ctx, id, noted),
  ).catch(withDoseField);
  if (!outcome.done) return outcome;
  return { message: 'Dose logged with its site' };
}

/** The operation calls the amount `actualDose`; the form calls it `dose`, as the site log does. */
function withDoseField(error: unknown): never {
  if (!isAppError(error) || error.fields?.['actualDose'] === undefined) throw error;
  const { actualDose, ...others } = error.fields;
  throw new AppError('INVALID_INPUT', error.message, { fields: { ...others, dose: actualDose } });
}
