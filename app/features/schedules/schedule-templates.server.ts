import { AppError, fieldError } from '#app/domain/errors.ts';
import { BUILT_IN_TEMPLATES, type TemplateFacts } from '#app/domain/schedules/schedule-templates.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { scheduleDetailsOf } from '#app/domain/schedules/schedule-schema.ts';
import {
  MAX_TEMPLATES,
  saveTemplateSchema,
  TEMPLATE_MESSAGES,
  type SaveTemplateInput,
} from '#app/domain/schedules/schedule-template-schema.ts';
import { partOn } from '#app/domain/schedules/plan-changes.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import type { ScheduleTemplateRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { getOwnedSchedule } from './schedules.server.ts';
import { repos } from './repositories.server.ts';

const templateNotFound = () => new AppError('NOT_FOUND', TEMPLATE_MESSAGES.notFound);

/** The signed-in user's own templates, newest first. @throws AppError PREMIUM_REQUIRED */
export async function listTemplates(ctx: Ctx): Promise<ScheduleTemplateRecord[]> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  return repos(ctx).scheduleTemplates.list(user.id, MAX_TEMPLATES);
}

/** One of the signed-in user's own templates. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getTemplate(ctx: Ctx, id: string): Promise<ScheduleTemplateRecord> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const template = await repos(ctx).scheduleTemplates.find(user.id, id);
  if (template === null) throw templateNotFound();
  return template;
}

/** The contents of a built-in template or one of the user's own. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getTemplateFacts(ctx: Ctx, id: string): Promise<TemplateFacts> {
  authorisePremiumUser(ctx.actor, 'schedule.manage');
  const builtIn = BUILT_IN_TEMPLATES.find((template) => template.id === id);
  return builtIn?.facts ?? (await getTemplate(ctx, id)).facts;
}

/**
 * Saves one of the signed-in user's schedules as a template, without its days, time zone and vial.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, also when the limit is reached
 */
export async function saveAsTemplate(ctx: Ctx, scheduleId: string, input: SaveTemplateInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const { title, saveKey } = parseInput(saveTemplateSchema, input);
  const stored = await getOwnedSchedule(ctx, user.id, scheduleId);
  const schedule = partOn(stored, calendarDay(ctx.now(), stored.timeZone));
  const { scheduleTemplates } = repos(ctx);
  if ((await scheduleTemplates.count(user.id)) >= MAX_TEMPLATES)
    throw fieldError('title', TEMPLATE_MESSAGES.tooMany);
  const { name, doseAmount, doseUnit, frequency, times, ramp, course, reminderLeadMinutes } = schedule;
  const timing = { frequency, times, ramp, course, reminderLeadMinutes };
  const facts = { name, doseAmount, doseUnit, ...timing, ...scheduleDetailsOf(schedule) };
  const now = ctx.now();
  const id = idFromKey('tmpl', now, user.id, saveKey);
  await scheduleTemplates.create(user.id, { id, title, facts, createdAt: now });
}

/** Deletes one of the user's own; schedules created from it stay. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteTemplate(ctx: Ctx, id: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  if (!(await repos(ctx).scheduleTemplates.delete(user.id, id))) throw templateNotFound();
}
