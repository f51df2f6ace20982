import { AppError, fieldError } from '#app/domain/errors.ts';
import {
  NUTRIENTS,
  NUTRITION_MESSAGES,
  nutritionSchema,
  updateNutritionSchema,
  type Nutrient,
  type NutritionInput,
  type UpdateNutritionInput,
} from '#app/domain/tracking/nutrition-schema.ts';
import {
  pageWithin,
  pagingSchema,
  type Page,
  type PagingInput,
  type Period,
} from '#app/domain/forms/paging.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { calendarDay, daysBefore } from '#app/domain/time/zoned-time.ts';
import type { NutritionRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import { pageFrom, type Changes, type PageRequest } from '#app/platform/pagination.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { presentFields } from '#app/platform/partial-changes.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { repos } from '../repositories.server.ts';

const noEntry = () => new AppError('NOT_FOUND', NUTRITION_MESSAGES.notFound);

const isEmpty = (values: object) =>
  Object.values(values).every((value) => value === null || value === undefined);

/**
 * Saves the signed-in user's nutrition of a day. Saving the same day again changes the given fields.
 * @throws AppError PREMIUM_REQUIRED, PLAN_LIMIT when the account is full, INVALID_INPUT for a future day (tomorrow is allowed because clocks differ)
 */
export async function saveNutrition(ctx: Ctx, input: NutritionInput): Promise<NutritionRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { date, ...fields } = parseInput(nutritionSchema, input);
  const values = presentFields(fields);
  const today = calendarDay(ctx.now(), ctx.timeZone);
  if (daysBefore(date, 1) > today) throw fieldError('date', NUTRITION_MESSAGES.date);
  const present = await repos(ctx).nutrition.findDay(user.id, date);
  if (isEmpty(values) && present === null) throw fieldError('calories', NUTRITION_MESSAGES.empty);
  if (present === null) await takeRows(ctx, { id: user.id, isPremium: true });
  const id = idFromKey('meal', ctx.now(), user.id, `day ${date}`);
  return repos(ctx).nutrition.put(user.id, { id, date, at: ctx.now() }, values);
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getNutrition(ctx: Ctx, id: string): Promise<NutritionRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const entry = await repos(ctx).nutrition.find(user.id, id);
  if (entry === null) throw noEntry();
  return entry;
}

/** The entry of a day; null when there is none. @throws AppError PREMIUM_REQUIRED */
export async function findNutritionOf(ctx: Ctx, date: string): Promise<NutritionRecord | null> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  return repos(ctx).nutrition.findDay(user.id, date);
}

/** The signed-in user's days, the latest first. @throws AppError PREMIUM_REQUIRED */
export async function listNutrition(ctx: Ctx, input: PagingInput = {}): Promise<Page<NutritionRecord>> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const total = await repos(ctx).nutrition.count(user.id, EVER);
  const { skip, ...page } = pageWithin(pagingSchema.parse(input), total);
  return { ...page, items: await repos(ctx).nutrition.list(user.id, EVER, { skip, limit: page.limit }) };
}

const EVER = { first: null, last: null };

/** The days of a period for the API, the latest first. @throws AppError PREMIUM_REQUIRED, INVALID_INPUT */
export async function pageOfNutrition(
  ctx: Ctx,
  { start, end, updatedSince, ...request }: PageRequest & Period & Changes,
) {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const range = { first: start ?? null, last: end ?? null, updatedSince };
  return pageFrom<NutritionRecord>(request, {
    name: 'nutrition',
    kinds: ['text'],
    placeOf: ({ date }) => [date],
    read: (slice) => repos(ctx).nutrition.list(user.id, range, slice),
    count: () => repos(ctx).nutrition.count(user.id, range),
  });
}

/** The mean of each nutrient over those of the last 7 days that have a value; null if none has. */
export async function weekMeans(ctx: Ctx): Promise<Record<Nutrient, number | null>> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const today = calendarDay(ctx.now(), ctx.timeZone);
  const range = { first: daysBefore(today, 6), last: today };
  const days = await repos(ctx).nutrition.list(user.id, range, { skip: 0, limit: 7 });
  const meanOf = (key: Nutrient) => {
    const values = days.flatMap((day) => (day[key] === null ? [] : [Number(day[key])]));
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const means = NUTRIENTS.map(({ key }) => [key, meanOf(key)]);
  return Object.fromEntries(means) as Record<Nutrient, number | null>;
}

/** Changes the given fields of a day. @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND */
export async function updateNutrition(
  ctx: Ctx,
  id: string,
  input: UpdateNutritionInput,
): Promise<NutritionRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const values = presentFields(parseInput(updateNutritionSchema, input));
  const entry = await repos(ctx).nutrition.update(user.id, id, values);
  if (entry === null) throw noEntry();
  return entry;
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteNutrition(ctx: Ctx, id: string): Promise<NutritionRecord> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const removed = await repos(ctx).nutrition.delete(user.id, id);
  if (removed === null) throw noEntry();
  return removed;
}
