import { zoneName, shownInstant } from '#app/domain/time/zoned-time.ts';
import { isGone } from '#app/domain/accounts/account.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import {
  addressClass,
  MAX_LISTED_VIEWS,
  noShare,
  shareState,
  MAX_SHARES,
  shareEnd,
  type ShareState,
} from '#app/domain/reports/report-share.ts';
import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import type { ReportShareRecord, UserRecord } from '#models/index.server.ts';
import { authorise, authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { writeReport } from './clinician-report.server.ts';
import { hashToken, isToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  REPORT_MESSAGES,
  reportShareSchema,
  type ReportShareInput,
} from '#app/domain/reports/report-schema.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { repos } from './repositories.server.ts';

/** A report link as its owner sees it, without the secret. */
export interface ReportShareView extends Omit<ReportShareRecord, 'hash' | 'userId' | 'shareId'> {
  id: string;
  state: ShareState;
}

/** The signed-in user's links, newest first, with their views. @throws AppError PREMIUM_REQUIRED */
export async function listReportShares(ctx: Ctx): Promise<ReportShareView[]> {
  const { id } = authorisePremiumUser(ctx.actor, 'report.share');
  const now = ctx.now();
  return (await repos(ctx).reportShares.list(id)).map((record) => view(record, now));
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND if the signed-in user has no such link */
export async function getReportShare(ctx: Ctx, shareId: string): Promise<ReportShareView> {
  authorisePremiumUser(ctx.actor, 'report.share');
  const found = (await listReportShares(ctx)).find(({ id }) => id === shareId);
  if (found === undefined) throw noShare();
  return found;
}

function view(
  { hash: _secret, userId: _owner, shareId, ...rest }: ReportShareRecord,
  now: Date,
): ReportShareView {
  return { ...rest, id: shareId, state: shareState(rest, now) };
}

/**
 * Creates a link to a report. The report is computed each time it is opened.
 * @returns the link's secret, which is shown once and never stored
 * @throws AppError PREMIUM_REQUIRED, EMAIL_NOT_CONFIRMED, INVALID_INPUT, RATE_LIMITED; CONFLICT if the limit of active links is reached
 */
export async function shareReport(
  ctx: Ctx,
  input: ReportShareInput,
): Promise<{ secret: string; share: ReportShareView }> {
  const user = authorisePremiumUser(ctx.actor, 'report.create-share');
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
  await ctx.transaction(async () => {
    if (!(await repos(ctx).reportShares.create(record, MAX_SHARES)))
      throw conflict('LIMIT_REACHED', REPORT_MESSAGES.limit);
    const after = { share: record.shareId, expiresAt: record.expiresAt };
    await recordAudit(ctx, { action: 'report-share.create', subjectId: user.id, before: {}, after });
  });
  return { secret, share: view(record, now) };
}

/**
 * Revokes one of the signed-in user's links immediately. Does nothing if it has already ended.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND if the user has no such link
 */
export async function revokeReportShare(ctx: Ctx, shareId: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'report.share');
  await getReportShare(ctx, shareId);
  await ctx.transaction(async () => {
    if (!(await repos(ctx).reportShares.revoke(user.id, shareId, ctx.now()))) return;
    const before = { share: shareId };
    await recordAudit(ctx, { action: 'report-share.revoke', subjectId: user.id, before, after: {} });
  });
}

/** What anyone with the link sees. */
interface SharedReport {
  report: ClinicianReport;
  /** When the link expires, as text in the owner's zone. */
  until: string;
}

/** An active link and its owner. If the owner has lost Premium they could not revoke it, so it does not work. */
async function findOpen(
  ctx: Ctx,
  token: string,
): Promise<{ share: ReportShareRecord; owner: UserRecord } | null> {
  const share = isToken(token) ? await repos(ctx).reportShares.findByHash(hashToken(token)) : null;
  if (share === null || shareState(share, ctx.now()) !== 'open') return null;
  const owner = await repos(ctx).users.find(share.userId);
  if (owner === null || owner.suspendedAt !== null || isGone(owner, ctx.now())) return null;
  return entitlementOf(owner, ctx).isPremium ? { share, owner } : null;
}

/**
 * Opens a report by its link, computed now from its owner's data. Counts the view unless it is the owner's own.
 * @throws AppError RATE_LIMITED; NOT_FOUND, always the same, for a link that is forged, expired or revoked, or whose owner is
 * deleted, suspended or without Premium
 */
export async function openSharedReport(ctx: Ctx, token: string): Promise<SharedReport> {
  authorise(ctx.actor, 'report.open-shared');
  await ctx.throttle.take({ rule: THROTTLE_RULES.reportShareView, who: ctx.client.address });
  const open = await findOpen(ctx, token);
  if (open === null) throw noShare();
  const { share, owner } = open;
  const isOwner = ctx.actor.kind === 'user' && ctx.actor.id === owner.id;
  const look = { at: ctx.now(), from: addressClass(ctx.client.address) };
  const { id, timeZone } = owner;
  return heavyWork('sharedReport', id, async () => {
    if (!isOwner && !(await repos(ctx).reportShares.countView(id, share.hash, look, MAX_LISTED_VIEWS)))
      throw noShare();
    return {
      report: await writeReport(ctx, { id, timeZone }, share),
      until: `${shownInstant(share.expiresAt, timeZone)} (${zoneName(timeZone)})`,
    };
  });
}
