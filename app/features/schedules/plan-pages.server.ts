import { randomUUID } from 'node:crypto';
import { data } from '@remix-run/node';
import {
  AGAIN_MESSAGES,
  againFormSchema,
  canBeginAgain,
  swapFormSchema,
  SWAP_MESSAGES,
  type SwapInput,
} from '#app/domain/schedules/plan-change-schema.ts';
import { shownPreview } from '#app/domain/schedules/schedule-view.ts';
import { dayLabel, shownDay } from '#app/domain/time/calendar.ts';
import { calendarDay, localDateTime, momentField } from '#app/domain/time/zoned-time.ts';
import { doseWords, namedDose, type Blend } from '#app/domain/vials/contents.ts';
import { isAppError, type AppError } from '#app/domain/errors.ts';
import { submit, shownInForm, done, type LastResult } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import {
  beginAgain,
  planToBeginAgain,
  getSchedule,
  previewSchedule,
  type ScheduleView,
} from './schedules.server.ts';
import { scheduleFormOptions, swapWords } from './pages.server.ts';
import { SAME_VIAL } from './plan-changes.tsx';
import { takeMeantUnit } from '#app/domain/units/meant-mcg.ts';
import { doseInUnit } from '#app/domain/units/quantity.ts';
import { previewSwap, swapSchedule, undoSwap } from './plan-changes.server.ts';

/** The values of a form by the names of its controls. */
type Values = Record<string, string>;

/** A rejected form: messages by field ('' for the form), and whether they are a question that can be confirmed. */
interface Refused {
  errors: NonNullable<LastResult['error']>;
  isQuestion: boolean;
}

const NOT_REFUSED: Refused = { errors: {}, isQuestion: false };

/** An unusual amount is a question: its warnings are shown, and can be confirmed. */
function refusedBy(errors: Refused['errors'], error: unknown): Refused {
  const isQuestion = isAppError(error) && error.code === 'CONFIRM_DOSE';
  if (!isQuestion) return { errors, isQuestion };
  return { errors: { '': (error.warnings ?? []).map(({ message }) => message) }, isQuestion };
}

/** The answer to a refused form. */
const refused = ({ error: errors }: LastResult, init: ResponseInit, error?: AppError) =>
  data(refusedBy(errors ?? {}, error), init);

/** The page with the messages of a refused preview. @throws errors that the person cannot fix */
function refusedPreview<Page>(page: Page, error: unknown) {
  const { messages, init } = shownInForm(error);
  return data({ ...page, preview: null, ...refusedBy(messages, error) }, init);
}

const SWAP_FIELDS = ['fromDay', 'name', 'compoundId', 'doseAmount'] as const;

const swapInput = ({
  fromDay = '',
  name = '',
  compoundId = SAME_VIAL,
  doseAmount = '',
}: Values): SwapInput => ({
  ...{ fromDay, name, doseAmount },
  ...(compoundId !== SAME_VIAL && { compoundId }),
});

const partText = (
  { name, doseAmount, blend }: { name: string; doseAmount: string; blend?: Blend },
  { doseUnit }: ScheduleView,
): string => namedDose(name, doseWords(doseAmount, doseUnit, blend), blend);

/** Data of the page for changing compound, vial or dose, with a preview if the URL has values. */
export async function readSwapPage({ ctx, user, params, url }: UserPageArgs) {
  const schedule = await getSchedule(ctx, params.id ?? '');
  const { vials } = await scheduleFormOptions(ctx, user);
  const today = calendarDay(ctx.now(), schedule.timeZone);
  const search = new URLSearchParams(url.searchParams);
  takeMeantUnit(search, {
    amount: 'doseAmount',
    unit: (typed) => doseInUnit(typed, schedule.doseUnit),
  });
  const values: Values = Object.fromEntries(
    SWAP_FIELDS.map((name) => [name, search.get(name) ?? (name === 'compoundId' ? SAME_VIAL : '')]),
  );
  const nameOf = new Map(vials.map(({ value, label }) => [value, label]));
  const shown = {
    id: schedule.id,
    name: schedule.name,
    doseUnit: schedule.doseUnit,
    vials,
    swaps: (schedule.swaps ?? []).map((swap) => ({
      id: swap.id,
      text: `From ${shownDay(swap.fromDay)}: ${swapWords(swap, schedule)}`,
    })),
    values: { ...values, fromDay: values['fromDay'] || today },
  };
  if (url.searchParams.get('fromDay') === null) return data({ ...shown, preview: null, ...NOT_REFUSED });
  try {
    const { doses, swap } = await previewSwap(ctx, schedule.id, swapInput(values));
    const preview = {
      vial: swap.compoundId === null ? null : (nameOf.get(swap.compoundId) ?? null),
      rows: doses.map(({ dueDate, before, after }) => {
        const [day = '', time = ''] = localDateTime(dueDate, schedule.timeZone).split(' ');
        return {
          due: `${dayLabel(day)}, ${time}`,
          before: partText(before, schedule),
          after: partText(after, schedule),
        };
      }),
    };
    return data({ ...shown, preview, ...NOT_REFUSED });
  } catch (error) {
    return refusedPreview(shown, error);
  }
}

/** Saves the previewed change, or undoes one. */
export function submitSwap({ request, ctx, params }: UserPageArgs) {
  const id = params.id ?? '';
  return submit(
    request,
    swapFormSchema,
    async (input) => {
      if (input.intent === 'undo') {
        await undoSwap(ctx, id, input.swap);
        return done(`/dashboard/schedule/${id}`, SWAP_MESSAGES.undone);
      }
      const { intent: _, confirm, ...values } = input;
      await swapSchedule(ctx, id, { ...swapInput(values), confirm });
      return done(`/dashboard/schedule/${id}`, SWAP_MESSAGES.saved);
    },
    { refused },
  );
}

/** Data of the page for starting a schedule again, with a preview if the URL has a first day. */
export async function readAgainPage({ ctx, params, url }: UserPageArgs) {
  const schedule = await getSchedule(ctx, params.id ?? '');
  const now = ctx.now();
  const startText = url.searchParams.get('startDate') ?? url.searchParams.get('firstDueAt');
  const isChain = schedule.frequency.kind === 'after-last';
  const shown = {
    id: schedule.id,
    name: schedule.name,
    isChain,
    isRunning: !canBeginAgain(schedule, now),
    saveKey: randomUUID(),
    value: startText ?? (isChain ? momentField(now, schedule.timeZone) : calendarDay(now, schedule.timeZone)),
  };
  if (startText === null || shown.isRunning)
    return data({ ...shown, preview: null, endDate: null, ...NOT_REFUSED });
  try {
    const plan = await planToBeginAgain(ctx, schedule.id, {
      [isChain ? 'firstDueAt' : 'startDate']: startText,
    });
    const { rule, ...found } = await previewSchedule(ctx, plan);
    const preview = shownPreview(rule, found, calendarDay(now, rule.timeZone));
    const endDate = plan.endDate === null ? null : shownDay(plan.endDate);
    return data({ ...shown, preview, endDate, ...NOT_REFUSED });
  } catch (error) {
    return refusedPreview({ ...shown, endDate: null }, error);
  }
}

/** Starts the schedule again as previewed. */
export function submitAgain({ request, ctx, params }: UserPageArgs) {
  return submit(
    request,
    againFormSchema,
    async (input) => {
      const { id } = await beginAgain(ctx, params.id ?? '', input);
      return done(`/dashboard/schedule/${id}`, AGAIN_MESSAGES.created);
    },
    { refused },
  );
}
