import { isAppError, type FieldErrors } from '#app/domain/errors.ts';
import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { clinicianReport, reportCompounds, reportVials, usualPeriod } from './clinician-report.server.ts';
import type { ReportShareInput } from '#app/domain/reports/report-schema.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { formText } from '#app/platform/http/forms.server.ts';
import type { ReportShareView } from './report-shares.server.ts';

/** Where a report and its forms are. */
export const REPORT_PATH = '/dashboard/analytics/report';

const NAMES = ['start', 'end', 'compound', 'notes'] as const;

/** The report that a URL asks for; null when it asks for none. */
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

/** The same as the query of a URL. */
export function reportQuery(fields: NonNullable<ReturnType<typeof reportFields>>): string {
  const filled = Object.entries(fields).filter(([, value]) => value !== '');
  return new URLSearchParams(filled).toString();
}

/** What the report's page shows. */
export interface ReportPageData {
  values: { start: string; end: string; compound: string; notes: boolean };
  compounds: string[];
  /** Null when the request is invalid. */
  report: ClinicianReport | null;
  errors: FieldErrors;
  query: string;
}

/** Reads the report that a URL asks for, else the default one; errors are shown at the form's fields. */
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

/** The values of the form for a link; the operation's schema validates them. */
export function shareFields(form: FormData): ReportShareInput {
  const text = (name: string) => formText(form, name);
  return {
    start: text('start'),
    end: text('end'),
    compound: text('compound'),
    notes: text('notes') as ReportShareInput['notes'],
    days: text('days') as ReportShareInput['days'],
    label: text('label'),
  };
}

/** A link to a report as a line of the list. */
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
