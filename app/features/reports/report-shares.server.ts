import { AppError } from '#app/domain/errors.ts';
import {
  MAX_SHARES,
  noShare,
  shareEnd,
  shareState,
  type ShareState,
} from '#app/domain/reports/report-share.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  REPORT_MESSAGES,
  reportShareSchema,
  type ReportShareInput,
} from '#app/domain/reports/report-schema.ts';
import type { ReportShareRecord } from '#models/index.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { hashToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

/** A link to a report as its owner sees it, without the secret. */
export interface ReportShareView extends Omit<ReportShareRecord, 'hash' | 'userId' | 'shareId'> {
  id: string;
  state: ShareState;
}

function view(
  { hash: _secret, userId: _owner, shareId, ...rest }: ReportShareRecord,
  now: Date,
): ReportShareView {
  return { ...rest, id: shareId, state: shareState(rest, now) };
}

/** The signed-in user's links, the newest first, with who looked. @throws AppError PREMIUM_REQUIRED */
export async function listReportShares(ctx: Ctx): Promise<ReportShareView[]> {
  const { id } = authorisePremiumUser(ctx.actor, 'report.share');
  const now = ctx.now();
  return (await ctx.repos.reportShares.list(id)).map((record) => view(record, now));
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND when the signed-in user has no such link */
export async function getReportShare(ctx: Ctx, shareId: string): Promise<ReportShareView> {
  authorisePremiumUser(ctx.actor, 'report.share');
  const found = (await listReportShares(ctx)).find(({ id }) => id === shareId);
  if (found === undefined) throw noShare();
  return found;
}

/**
 * Makes a link to a report. What it shows is computed whenever somebody looks.
 * @returns the link's secret, shown this once and kept nowhere
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, RATE_LIMITED; CONFLICT when as many links work as there can be
 */
export async function shareReport(
  ctx: Ctx,
  input: ReportShareInput,
): Promise<{ secret: string; share: ReportShareView }> {
  const user = authorisePremiumUser(ctx.actor, 'report.share');
  const { start, end, compound, notes, days, label } = parseInput(reportShareSchema, input);
  await ctx.throttle.take({ rule: THROTTLE_RULES.reportShare, who: user.id });
  const now = ctx.now();
  const secret = newToken();
  const record: ReportShareRecord = {
    hash: hashToken(secret),
    userId: user.id,
    shareId: newId(now),
    label: label ?? null,
    start,
    end,
    compound: compound ?? null,
    notes: notes === 'on',
    createdAt: now,
    expiresAt: shareEnd(days, now),
    revokedAt: null,
    viewCount: 0,
    views: [],
  };
  if (!(await ctx.repos.reportShares.insert(record, MAX_SHARES)))
    throw new AppError('CONFLICT', REPORT_MESSAGES.limit);
  const after = { start, end, compound: record.compound, expiresAt: record.expiresAt };
  await recordAudit(ctx, { action: 'report-share.create', subjectId: user.id, before: {}, after });
  return { secret, share: view(record, now) };
}

/**
 * Ends one of the signed-in user's links: the next look at it finds nothing. Ending one that is over is no error.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND when the user has no such link
 */
export async function revokeReportShare(ctx: Ctx, shareId: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'report.share');
  const { start, end, compound } = await getReportShare(ctx, shareId);
  if (!(await ctx.repos.reportShares.revoke(user.id, shareId, ctx.now()))) return;
  const before = { start, end, compound };
  await recordAudit(ctx, { action: 'report-share.revoke', subjectId: user.id, before, after: {} });
}
