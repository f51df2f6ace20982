import { controlTexts } from '#app/domain/forms/fields.ts';
import { NUTRIENTS, nutritionValuesOf, type Nutrient } from '#app/domain/tracking/nutrition-schema.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { isCalendarDay } from '#app/domain/time/calendar.ts';
import { findNutritionOf, getNutrition, listNutrition, weekMeans } from './nutrition.server.ts';
import { listPages, queryOf } from '#app/platform/http/addresses.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

type Entry = Awaited<ReturnType<typeof getNutrition>>;

const eachNutrient = <T>(text: (key: Nutrient) => T) =>
  Object.fromEntries(NUTRIENTS.map(({ key }) => [key, text(key)])) as Record<Nutrient, T>;

const dayRow = (entry: Entry) => ({
  id: entry.id,
  date: entry.date,
  notes: entry.notes,
  ...eachNutrient((key) => entry[key] ?? '–'),
});

/** What the nutrition page shows: the form for today, or for the day in the URL. */
export async function readNutritionPage({ ctx, url }: UserPageArgs) {
  const dateText = url.searchParams.get('date') ?? '';
  const date = isCalendarDay(dateText) ? dateText : calendarDay(ctx.now(), ctx.timeZone);
  const [entry, page, means] = await Promise.all([
    findNutritionOf(ctx, date),
    listNutrition(ctx, queryOf(url, 'page', 'limit')),
    weekMeans(ctx),
  ]);
  return {
    isThere: entry !== null,
    values: { date, ...controlTexts(nutritionValuesOf(entry ?? {})) },
    days: page.items.map(dayRow),
    means: eachNutrient((key) => {
      const mean = means[key];
      return mean === null ? '–' : String(mean >= 500 ? Math.round(mean) : Math.round(mean * 10) / 10);
    }),
    pages: listPages(url, page),
  };
}

/** The page that asks before deleting a day. */
export async function readNutritionDay({ ctx, params, url }: UserPageArgs) {
  return { path: url.pathname, day: dayRow(await getNutrition(ctx, params.id ?? '')) };
}
