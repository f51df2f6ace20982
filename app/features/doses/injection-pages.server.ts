import { injectionSchema, type InjectionFields } from '#app/domain/doses/injection-schema.ts';
import { AppError, isAppError } from '#app/domain/errors.ts';
import { describeDoseSite, logSite } from '#app/features/tracking/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { formAgain, readForm, submitForm, done } from '#app/platform/http/forms.server.ts';
import type { PageArgs } from '#app/platform/http/route-handlers.server.ts';
import { isPreview, logOrPreview, showDraw, type LogOutcome } from './pages.server.ts';

const TRACKING = '/dashboard/tracking';

/** The form under the body map: logs a dose with its site, or only the site, or shows what to draw for a dose. */
export async function submitInjectionForm({ request, ctx }: PageArgs) {
  const isOnlyShown = isPreview(await readForm(request.clone()));
  const submitted = await submitForm(
    request,
    injectionSchema,
    (input) => logInjection(ctx, input, isOnlyShown),
    ['confirmed'],
  );
  if (!submitted.ok) return formAgain(submitted);
  const { value, lastResult } = submitted;
  if ('warnings' in value) return showDraw(lastResult, value);
  throw await done(TRACKING, value.message);
}

type InjectionOutcome = { message: string } | Extract<LogOutcome, { done: false }>;

async function logInjection(
  ctx: Ctx,
  input: InjectionFields,
  isOnlyShown: boolean,
): Promise<InjectionOutcome> {
  const { record, confirmed, confirmedAmount, saveKey, doseOf, ...entry } = input;
  if (record === 'site') {
    if (isOnlyShown) throw new AppError('INVALID_INPUT', 'Nothing is drawn for “Only the site”.');
    await logSite(ctx, { ...entry, saveKey });
    return { message: 'Site noted' };
  }
  const { site, takenAt, name, dose, doseUnit, compoundId, volume, pain, notes } = entry;
  const optional = {
    ...(doseUnit && { doseUnit }),
    ...(doseOf && { doseOf }),
    ...(confirmedAmount && { confirmedAmount }),
    ...(compoundId && { compoundId }),
    ...(notes && { notes }),
  };
  const outcome = await logOrPreview(
    ctx,
    { name: name ?? '', actualDose: dose ?? '', takenAt, site, confirmed, ...optional },
    { idempotencyKey: saveKey, isOnlyShown },
  ).catch(withDoseField);
  if (!outcome.done) return outcome;
  await describeDoseSite(ctx, outcome.id, { volume, pain, notes });
  return { message: 'Dose logged with its site' };
}

/** The operation calls the amount `actualDose`; the form calls it `dose`, as the site log does. */
function withDoseField(error: unknown): never {
  if (!isAppError(error) || error.fields?.['actualDose'] === undefined) throw error;
  const { actualDose, ...others } = error.fields;
  throw new AppError('INVALID_INPUT', error.message, { fields: { ...others, dose: actualDose } });
}
