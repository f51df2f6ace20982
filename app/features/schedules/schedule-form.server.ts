import { randomUUID } from 'node:crypto';
import type { SubmissionResult } from '@conform-to/react';
import { data } from '@remix-run/node';
import { isAppError } from '#app/domain/errors.ts';
import { shownPreview, type ShownPreview } from '#app/domain/schedules/schedule-view.ts';
import type { ScheduleDoseUnit } from '#app/domain/schedules/schedule-types.ts';
import {
  readScheduleForm,
  valuesOf,
  type ScheduleValues,
  type ShownSchedule,
} from '#app/domain/schedules/schedule-form-schema.ts';
import { calendarDay } from '#app/domain/time/days.ts';
import { timeZoneNames } from '#app/domain/time/time-zone.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';
import { previewSchedule } from './schedules.server.ts';
import { listVials } from '#app/features/vials/index.server.ts';
import { formText, readForm } from '#app/platform/http/forms.server.ts';
import { STATUS } from '#app/platform/http/status.ts';

/** Vials that a form offers. */
const MAX_VIALS = 100;

/** What the form needs beside its values. */
export async function scheduleFormOptions(ctx: Ctx, user: SignedInUser, timeZone: string) {
  const { items } = await listVials(ctx, user.id, { filter: 'active', sort: 'name', limit: MAX_VIALS });
  const vials = items.map((vial) => ({
    value: vial.id,
    label: `${vial.name}, ${vial.remaining} of ${vial.totalAmount} mg left`,
  }));
  return { vials, timeZones: timeZoneNames(timeZone) };
}

/** The values of a form for a schedule that begins today. `kept` is what a template or a vial says. */
export async function newScheduleValues(
  ctx: Ctx,
  user: SignedInUser,
  kept: Partial<Omit<ShownSchedule, 'startDate' | 'timeZone'>> = {},
): Promise<ScheduleValues> {
  const { leadDefault } = await getNotificationChoices(ctx, user.id);
  const doseUnit: ScheduleDoseUnit = user.doseUnit;
  const values = valuesOf({
    name: '',
    compoundId: null,
    doseAmount: '',
    doseUnit,
    frequency: { kind: 'daily' },
    times: ['08:00'],
    route: null,
    reminderLeadMinutes: leadDefault,
    notes: null,
    ramp: null,
    course: null,
    ...kept,
    timeZone: ctx.timeZone,
    startDate: calendarDay(ctx.now(), ctx.timeZone),
    endDate: kept.endDate ?? null,
  });
  return { ...values, single: { ...values.single, saveKey: randomUUID() } };
}

/** What a sent form is answered with when it is shown again. */
interface ScheduleReply {
  values: ScheduleValues;
  lastResult: SubmissionResult<string[]> | null;
  preview: ShownPreview | null;
  /** The form was to be saved, and was not. */
  isRefused: boolean;
}

/**
 * A sent form: looked at, or saved, as its button says. What the person can mend comes back with the form.
 * @param save is given the fields in the shape of the schema, and leaves by throwing a redirect
 */
export async function submitScheduleForm(
  request: Request,
  ctx: Ctx,
  save: (body: Record<string, unknown>) => Promise<never>,
) {
  const form = await readForm(request);
  const { values, body } = readScheduleForm(form);
  try {
    if (formText(form, 'step') !== 'preview') return await save(body);
    const { doses, rule } = await previewSchedule(ctx, body);
    const preview = shownPreview(rule, doses, calendarDay(ctx.now(), rule.timeZone));
    return data<ScheduleReply>({ values, lastResult: null, preview, isRefused: false });
  } catch (error) {
    if (!isAppError(error) || (error.code !== 'INVALID_INPUT' && error.code !== 'CONFLICT')) throw error;
    const messages = error.fields ?? { '': [error.message] };
    const lastResult: SubmissionResult<string[]> = { status: 'error', error: messages };
    const isRefused = formText(form, 'step') !== 'preview';
    return data<ScheduleReply>({ values, lastResult, preview: null, isRefused }, { status: STATUS[error.code] });
  }
}
