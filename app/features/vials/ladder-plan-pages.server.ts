import { randomUUID } from 'node:crypto';
import { data, redirect } from '@remix-run/node';
import { planKey } from '#app/domain/doses/dose-warnings.ts';
import { isAppError, STATUS } from '#app/domain/errors.ts';
import { isLadderWater, parseLadderForm } from '#app/domain/calculator/ladder-schema.ts';
import {
  ladderPlanSchema,
  rampOfDoses,
  UNEVEN_DOSES,
  type LadderPlanForm,
} from '#app/domain/schedules/ladder-plan.ts';
import { SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { doseText } from '#app/domain/units/quantity.ts';
import { orFailed } from '#app/platform/http/failed-call.server.ts';
import { done, submit, type LastResult } from '#app/platform/http/forms.server.ts';
import type { SignedInUser } from '#app/platform/access/context.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { dosesOf, makeLadderPlan, type WateredLadder } from './ladder-plan.server.ts';

/** The ladder's own page, which leads here and can correct what is wrong. */
const LADDER_PATH = '/dashboard/calculator/ladder';

/** The ladder in an address. @throws a redirect to the ladder's page for one that is not valid */
function ladderIn(
  { search, searchParams }: URL,
  { syringes }: Pick<SignedInUser, 'syringes'>,
): WateredLadder {
  const parsed = parseLadderForm(searchParams, syringes);
  const waterVolume = searchParams.get('waterVolume') ?? '';
  if (!parsed.ok || !isLadderWater(waterVolume)) throw redirect(`${LADDER_PATH}${search}`);
  return { ...parsed.input, waterVolume };
}

/** What the form for making a ladder the plan shows. */
export function readLadderPlan({ url, ctx, user }: UserPageArgs) {
  const ladder = ladderIn(url, user);
  const { peptideAmount, waterVolume, doses, desiredDoseUnit } = ladder;
  const isEven = rampOfDoses(doses, 1) !== null;
  return {
    action: `${url.pathname}${url.search}`,
    backHref: `${LADDER_PATH}${url.search}`,
    vial: `${figureText(peptideAmount)} ${ladder.amountUnit} with ${waterVolume} ml of water`,
    doses: doses.map((dose) => doseText(dose, desiredDoseUnit)).join(', '),
    /** Why only the vial can be added; null if a schedule can be, too. */
    noSchedule: isEven ? (user.entitlement.isPremium ? null : ('pro' as const)) : UNEVEN_DOSES,
    today: calendarDay(ctx.now(), ctx.timeZone),
    saveKey: randomUUID(),
  };
}

/** The answer to a refused form: its messages, or a question about unusual amounts. */
interface Refused {
  lastResult: LastResult;
  question: { messages: string[]; confirmedAmount: string } | null;
}

/** Adds the vial and, with the button for it, its schedule. */
export function submitLadderPlan({ request, url, ctx, user }: UserPageArgs) {
  const ladder = ladderIn(url, user);
  const save = async (form: LadderPlanForm, reply: () => LastResult) => {
    try {
      const { vialId, scheduleId } = await orFailed(ctx, SCHEDULE_MESSAGES.failedToCreate, () =>
        makeLadderPlan(ctx, ladder, form),
      );
      return scheduleId === null
        ? done(`/dashboard/vials/${vialId}`, 'Vial added')
        : done(`/dashboard/schedule/${scheduleId}`, 'Vial and schedule added');
    } catch (error) {
      if (!isAppError(error) || error.code !== 'CONFIRM_DOSE' || form.intent !== 'plan') throw error;
      const plan = { ...dosesOf(ladder, form.everyWeeks), doseUnit: ladder.desiredDoseUnit };
      const question = {
        messages: (error.warnings ?? []).map(({ message }) => message),
        confirmedAmount: planKey(form.name, plan),
      };
      return data<Refused>({ lastResult: reply(), question }, { status: STATUS.CONFIRM_DOSE });
    }
  };
  return submit(request, ladderPlanSchema, save, {
    refused: (lastResult, init) => data<Refused>({ lastResult, question: null }, init),
  });
}
