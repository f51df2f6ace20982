import {
  groupWithUnplanned,
  weekStart,
  type DoseGroup,
  type StatusCount,
} from '#app/domain/doses/adherence.ts';
import {
  compareDays,
  type Comparison,
  type EffectDayInput,
  heatRows,
  type HeatRow,
} from '#app/domain/analytics/day-figures.ts';
import { daysOf, periodUpTo, type Period, type PeriodDays } from '#app/domain/analytics/periods.ts';
import { spendOf, type SpendOf } from '#app/domain/analytics/spend.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { DayNameCount, TakenBlend } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { stockForecast } from '#app/features/vials/index.server.ts';
import { repos } from './repositories.server.ts';

/** The most vials whose cost is added up. */
const MAX_COSTS = 10_000;

/** The filters of the page. */
export interface AnalyticsQuestion {
  days: PeriodDays;
  /** One compound; null for all. */
  name: string | null;
}

/** Everything on the analytics page except the level curves. */
export interface Analytics {
  period: Period;
  /** Names to choose from: compounds with doses in the period and the components of blends. */
  names: string[];
  /** Compounds and components of blends (never blends) for which a level can be drawn; filtered by the chosen name. */
  substances: string[];
  /** Names of what was taken, alone or in a blend. */
  takenNames: string[];
  weeks: DoseGroup[];
  compounds: DoseGroup[];
  heat: HeatRow[];
  taken: number;
  effects: EffectDayInput[];
  comparison: Comparison;
  sites: { site: string; count: number; lastDay: string }[];
  spend: SpendOf[];
  stock: StockForecast[];
}

const keyed = (rows: readonly DayNameCount[], key: 'day' | 'name'): StatusCount[] =>
  rows.map(({ status, count, ...row }) => ({ key: row[key], status, count }));

/** Names in alphabetical order, each in its first spelling. */
function namesOf(names: readonly string[]): string[] {
  const spelled = new Map<string, string>();
  for (const name of names) if (!spelled.has(vialNameKey(name))) spelled.set(vialNameKey(name), name);
  return [...spelled.values()].sort((a, b) => a.localeCompare(b, 'en'));
}

/** The compounds for the chosen name; for a blend, its components. */
function substancesOf(
  rows: readonly DayNameCount[],
  blends: readonly TakenBlend[],
  chosen: string | null,
): string[] {
  const isBlend = (name: string) => blends.some((blend) => vialNameKey(blend.name) === vialNameKey(name));
  if (chosen !== null && !isBlend(chosen)) return [chosen];
  const chosenBlends = blends.filter(
    ({ name }) => chosen === null || vialNameKey(name) === vialNameKey(chosen),
  );
  const alone = rows.map(({ name }) => name).filter((name) => !isBlend(name));
  return namesOf([...alone, ...chosenBlends.flatMap(({ components }) => components)]);
}

function takenByDay(rows: readonly DayNameCount[]): Map<string, number> {
  const days = new Map<string, number>();
  for (const { day, status, count } of rows)
    if (status === 'taken') days.set(day, (days.get(day) ?? 0) + count);
  return days;
}

async function effectsByDay(ctx: Ctx, user: SignedInUser, span: { from: Date; before: Date }) {
  const days = new Map<string, { count: number; severity: number }>();
  for (const { at, count, severity } of await repos(ctx).analytics.effectCounts(user.id, span)) {
    const day = calendarDay(at, user.timeZone);
    const known = days.get(day) ?? { count: 0, severity: 0 };
    days.set(day, { count: known.count + count, severity: known.severity + severity });
  }
  return days;
}

function effectDays(
  days: readonly string[],
  taken: ReadonlyMap<string, number>,
  effects: ReadonlyMap<string, { count: number; severity: number }>,
): EffectDayInput[] {
  return days.map((day) => {
    const { count, severity } = effects.get(day) ?? { count: 0, severity: 0 };
    return {
      day,
      doses: taken.get(day) ?? 0,
      effects: count,
      severity: count === 0 ? null : severity / count,
    };
  });
}

async function spendIn(ctx: Ctx, user: SignedInUser, period: Period, span: { from: Date; before: Date }) {
  const costs = await repos(ctx).analytics.vialCosts(user.id, span, MAX_COSTS);
  const paid = costs.map(({ addedAt, name, cost, currency }) => ({
    day: calendarDay(addedAt, user.timeZone),
    name,
    cost,
    // Amounts without a currency are added up separately.
    currency: currency ?? 'no currency',
  }));
  return spendOf(paid, period);
}

/**
 * The figures of the analytics page, counted in the database, so that the cost depends only on the period.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function getAnalytics(ctx: Ctx, { days, name }: AnalyticsQuestion): Promise<Analytics> {
  const user = authorisePremiumUser(ctx.actor, 'analytics.read');
  const period = periodUpTo(calendarDay(ctx.now(), user.timeZone), days);
  const { from, before } = instantsOfDays(period.first, period.last, user.timeZone);
  const span = { from: from ?? ctx.now(), before: before ?? ctx.now() };
  const [planned, unplanned, blends, effects, sites, spend, stock] = await Promise.all([
    repos(ctx).analytics.doseCounts(user.id, period, ctx.now(), true),
    repos(ctx).analytics.doseCounts(user.id, period, ctx.now(), false),
    repos(ctx).analytics.takenBlends(user.id, span),
    effectsByDay(ctx, user, span),
    repos(ctx).analytics.siteCounts(user.id, span),
    spendIn(ctx, user, period, span),
    stockForecast(ctx, user.id),
  ]);
  const isSame = (a: string, b: string) => vialNameKey(a) === vialNameKey(b);
  const isChosen = (other: string) =>
    name === null ||
    isSame(other, name) ||
    blends.some((blend) => isSame(blend.name, other) && blend.components.some((one) => isSame(one, name)));
  const all = [...planned, ...unplanned];
  const rows = all.filter((row) => isChosen(row.name));
  const ofPlans = planned.filter((row) => isChosen(row.name));
  const withoutPlan = unplanned.filter((row) => isChosen(row.name));
  const taken = takenByDay(rows);
  const dates = daysOf(period);
  const events = new Map([...effects].map(([day, { count }]) => [day, count]));
  return {
    period,
    names: namesOf([...all.map((row) => row.name), ...blends.flatMap(({ components }) => components)]),
    substances: substancesOf(rows, blends, name),
    takenNames: namesOf([
      ...rows.filter(({ status }) => status === 'taken').map((row) => row.name),
      ...blends.flatMap(({ components }) => components),
    ]),
    weeks: groupWithUnplanned(keyed(ofPlans, 'day'), keyed(withoutPlan, 'day'), weekStart),
    compounds: groupWithUnplanned(keyed(ofPlans, 'name'), keyed(withoutPlan, 'name')),
    heat: heatRows(period, taken),
    taken: [...taken.values()].reduce((sum, count) => sum + count, 0),
    effects: effectDays(dates, taken, effects),
    comparison: compareDays(dates, taken, events),
    sites: sites
      .map(({ site, count, lastAt }) => ({ site, count, lastDay: calendarDay(lastAt, user.timeZone) }))
      .sort((a, b) => b.count - a.count || (a.site < b.site ? -1 : 1)),
    spend,
    stock: stock.filter((one) => isChosen(one.name)),
  };
}
