import { calendarDay, daysBefore } from '#app/domain/time/zoned-time.ts';
import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { reportSchema, type ReportInput, type ReportRequest } from '#app/domain/reports/report-schema.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { writeReport } from './report-writing.server.ts';

/** Days of the report that is proposed. */
const USUAL_DAYS = 90;

/** Schedules whose names are offered. */
const MAX_SCHEDULES = 500;

/** A period to begin with: the last 90 days of the signed-in user's zone. @throws AppError PREMIUM_REQUIRED */
export function usualPeriod(ctx: Ctx): { start: string; end: string } {
  const { timeZone } = authorisePremiumUser(ctx.actor, 'report.read');
  const end = calendarDay(ctx.now(), timeZone);
  return { start: daysBefore(end, USUAL_DAYS - 1), end };
}

/**
 * The compounds that the signed-in user has vials or schedules of, by name; to choose from.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function reportCompounds(ctx: Ctx): Promise<string[]> {
  const { id } = authorisePremiumUser(ctx.actor, 'report.read');
  const names = new Map<string, string>();
  const add = (name: string) => {
    const key = vialNameKey(name);
    if (!names.has(key)) names.set(key, name);
  };
  for await (const vials of ctx.repos.compounds.stream(id)) for (const { name } of vials) add(name);
  for (const { name } of await ctx.repos.schedules.list(id, 0, MAX_SCHEDULES)) add(name);
  return [...names.values()].sort((a, b) => a.localeCompare(b, 'en'));
}

/**
 * The signed-in user's report for a clinician.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT for a period backwards or of more than 5 years
 */
export async function clinicianReport(
  ctx: Ctx,
  input: ReportInput,
): Promise<{ request: ReportRequest; report: ClinicianReport }> {
  const { id, timeZone } = authorisePremiumUser(ctx.actor, 'report.read');
  const request = parseInput(reportSchema, input);
  return { request, report: await writeReport(ctx, { id, timeZone }, request) };
}
