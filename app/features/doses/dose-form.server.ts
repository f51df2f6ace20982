import type { SubmissionResult } from '@conform-to/react';
import { data, redirect } from '@remix-run/node';
import type { DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { isAppError } from '#app/domain/errors.ts';
import {
  DOSE_MESSAGES,
  logDoseSchema,
  passDoseSchema,
  takeDoseSchema,
} from '#app/domain/doses/dose-schema.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { logDose } from './dose-log.server.ts';
import { missDose, skipDose, takeDose, undoDose } from './doses.server.ts';
import { done, flash } from '#app/platform/http/toast.server.ts';
import { formText, readForm, formAgain, submitForm } from '#app/platform/http/forms.server.ts';
import type { PageArgs } from '#app/platform/http/route-handlers.server.ts';

/** Where somebody goes on after a dose. */
const TODAY = '/dashboard/schedule';

/** What a dose form is answered with, when it is not done. */
export interface DoseReply {
  lastResult: SubmissionResult<string[]>;
  /** What has to be looked at and confirmed. */
  warnings?: DoseWarning[];
}

const askToConfirm = (lastResult: SubmissionResult<string[]>, warnings: DoseWarning[]) =>
  data<DoseReply>({ lastResult, warnings }, { status: 409 });

/** The page of today shows everything anew: what stood in the way is told beside it. */
async function backToTodayWithError(message: string): Promise<never> {
  throw redirect(TODAY, { headers: { 'Set-Cookie': await flash('error', message) } });
}

/** What a form without fields to mend is told. */
const firstProblem = ({ error }: SubmissionResult<string[]>): string =>
  Object.values(error ?? {}).flat()[0] ?? DOSE_MESSAGES.failed;

async function take(request: Request, ctx: Ctx, id: string, fromToday: boolean) {
  const submitted = await submitForm(request, takeDoseSchema, (input) => takeDose(ctx, id, input), [
    'confirmed',
  ]);
  if (!submitted.ok)
    return fromToday ? backToTodayWithError(firstProblem(submitted.lastResult)) : formAgain(submitted);
  const { value, lastResult } = submitted;
  if (value.done) throw await done(TODAY, DOSE_MESSAGES.taken);
  if (fromToday) throw redirect(`${TODAY}/doses/${id}?ask=1`);
  return askToConfirm(lastResult, value.warnings);
}

async function markNotTaken(
  request: Request,
  ctx: Ctx,
  id: string,
  { intent, fromToday }: { intent: 'skipped' | 'missed'; fromToday: boolean },
) {
  const say = intent === 'skipped' ? skipDose : missDose;
  const submitted = await submitForm(request, passDoseSchema, (input) => say(ctx, id, input));
  if (!submitted.ok)
    return fromToday ? backToTodayWithError(firstProblem(submitted.lastResult)) : formAgain(submitted);
  throw await done(TODAY, DOSE_MESSAGES[intent]);
}

/** There is no form to go back to: what stands in the way is told on the page of today. */
async function undo(ctx: Ctx, id: string): Promise<never> {
  try {
    const left = await undoDose(ctx, id);
    throw await done(TODAY, left === null ? DOSE_MESSAGES.removed : DOSE_MESSAGES.undone);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'CONFLICT') throw error;
    return backToTodayWithError(error.message);
  }
}

/**
 * The form of one dose: `intent` is `skipped`, `missed` or `undo`, anything else takes it. A question is answered with
 * the page of the dose; the big button of today is sent there.
 */
export async function submitDoseForm({ request, ctx, params }: PageArgs) {
  const id = params['id'] ?? '';
  const form = await readForm(request.clone());
  const intent = formText(form, 'intent');
  if (intent === 'undo') return undo(ctx, id);
  const fromToday = formText(form, 'from') === 'today';
  if (intent === 'skipped' || intent === 'missed') return markNotTaken(request, ctx, id, { intent, fromToday });
  return take(request, ctx, id, fromToday);
}

/** The form for a dose that no schedule has. `press` names one press of its button. */
export async function submitLogForm({ request, ctx }: PageArgs) {
  const idempotencyKey = formText(await readForm(request.clone()), 'idempotencyKey');
  const log = submitForm(request, logDoseSchema, (input) => logDose(ctx, input, { idempotencyKey }), [
    'confirmed',
  ]);
  const submitted = await log;
  if (!submitted.ok) return formAgain(submitted);
  const { value, lastResult } = submitted;
  if (!value.done) return askToConfirm(lastResult, value.warnings);
  throw await done(TODAY, DOSE_MESSAGES.taken);
}
