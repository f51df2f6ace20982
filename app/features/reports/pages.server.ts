import { isAppError, type FieldErrors } from '#app/domain/errors.ts';
import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { clinicianReport, reportCompounds, reportVials, usualPeriod } from './clinician-report.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { ReportShareView } from './report-shares.server.ts';

export const REPORT_PATH = '/dashboard/analytics/report';

const NAMES = ['start', 'end', 'compound', 'notes'] as const;

/** The scope of a report in a query; null if there is none. */
export function reportFields(
  query: URLSearchParams,
): { start: string; end: string; compound: string; notes: 'on' | '' } | null {
  if (!NAMES.some((name) => query.has(name))) return null;
  const text = (name: string) => (query.get(name) ?? '').slice(0, 200);
  return {
    start: text('start'),
    end: text('end'),
    compound: text('compound'),
    notes: query.get('notes') === 'on' ? 'on' : '',
  };
}

/** The scope of a report as a query string. */
export function reportQuery(fields: NonNullable<ReturnType<typeof reportFields>>): string {
  const filled = Object.entries(fields).filter(([, value]) => value !== '');
  return new URLSearchParams(filled).toString();
}

/** Data for the report's page. */
export interface ReportPageData {
  values: { start: string; end: string; compound: string; notes: boolean };
  compounds: string[];
  /** Null if the request is invalid. */
  report: ClinicianReport | null;
  errors: FieldErrors;
  query: string;
}

/** Reads the report for a URL, or the default one. Errors are shown at the form's fields. */
export async function readReportPage(ctx: Ctx, url: URL): Promise<ReportPageData> {
  const fields = reportFields(url.searchParams) ?? { ...usualPeriod(ctx), compound: '', notes: '' as const };
  const values = { ...fields, notes: fields.notes === 'on' };
  const vials = await reportVials(ctx);
  const page = { values, compounds: await reportCompounds(ctx, vials), query: reportQuery(fields) };
  try {
    const { report } = await clinicianReport(ctx, fields, vials);
    return { ...page, report, errors: {} };
  } catch (error) {
    if (!isAppError(error) || error.code !== 'INVALID_INPUT') throw error;
    return { ...page, report: null, errors: error.fields ?? {} };
  }
}

/** A report link as text for the list. */
export function shareLine(share: ReportShareView, timeZone: string) {
  const { id, state, label, start, end, compound, notes, createdAt, expiresAt, revokedAt, viewCount } = share;
  const at = (instant: Date) => shownInstant(instant, timeZone);
  const until = { open: 'Works until', expired: 'Expired', revoked: 'Revoked' }[state];
  return {
    id,
    state,
    title: label ?? compound ?? 'All compounds',
    about: `${compound ?? 'All compounds'}, ${shownDay(start)} to ${shownDay(end)}${notes ? ', with notes' : ''}`,
    times: `Created ${at(createdAt)}. ${until} ${at(revokedAt ?? expiresAt)}.`,
    viewCount,
    views: share.views.toReversed().map((view) => `${at(view.at)}, ${view.from}`),
  };
}
