import { AppError } from '#app/domain/errors.ts';
import { isFinal } from '#app/domain/vials/vial-status.ts';
import type { ScheduleRule } from '#app/domain/schedules/schedule-types.ts';
import { SCHEDULE_MESSAGES, type ScheduleFields } from '#app/domain/schedules/schedule-schema.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** What a valid form says of a schedule, as it is stored. */
export type ScheduleFacts = Pick<
  ScheduleRecord,
  keyof ScheduleRule | 'name' | 'compoundId' | 'route' | 'reminderLeadMinutes' | 'notes'
>;

/** Valid fields with what is taken for those left out. */
export function toScheduleFacts(fields: ScheduleFields, defaults: { timeZone: string; lead: number }): ScheduleFacts {
  return {
    name: fields.name ?? '',
    compoundId: fields.compoundId ?? null,
    doseAmount: fields.ramp?.start ?? fields.doseAmount ?? '',
    doseUnit: fields.doseUnit,
    frequency: fields.frequency,
    times: fields.times,
    timeZone: fields.timeZone ?? defaults.timeZone,
    startDate: fields.startDate,
    endDate: fields.endDate ?? null,
    route: fields.route ?? null,
    reminderLeadMinutes: fields.reminderLeadMinutes ?? defaults.lead,
    notes: fields.notes ?? null,
    ramp: fields.ramp ?? null,
    course: fields.course ?? null,
  };
}

/** @throws AppError INVALID_INPUT for a vial that is not theirs, and for one that is used up or thrown away */
export async function requireUsableVial(ctx: Ctx, ownerId: string, compoundId: string | null): Promise<void> {
  if (compoundId === null) return;
  const vial = await ctx.repos.compounds.find(ownerId, compoundId);
  if (vial !== null && !isFinal(vial)) return;
  const message = vial === null ? SCHEDULE_MESSAGES.compoundId : SCHEDULE_MESSAGES.finalVial;
  throw new AppError('INVALID_INPUT', message, { fields: { compoundId: [message] } });
}
