import { isGone } from '#app/domain/accounts/account.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { addressClass } from '#app/domain/reports/address-class.ts';
import { MAX_LISTED_VIEWS, noShare, shareState } from '#app/domain/reports/report-share.ts';
import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import type { ReportShareRecord, UserRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { writeReport } from './report-writing.server.ts';
import { hashToken, isToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

/** What whoever holds a link sees. */
export interface SharedReport {
  report: ClinicianReport;
  /** Until when the link works, as texts of the owner's zone. */
  until: string;
}

/** The link and its owner. One whose Premium has ended could not revoke it: their links rest, too. */
async function findOpen(
  ctx: Ctx,
  token: string,
): Promise<{ share: ReportShareRecord; owner: UserRecord } | null> {
  const share = isToken(token) ? await ctx.repos.reportShares.findByHash(hashToken(token)) : null;
  if (share === null || shareState(share, ctx.now()) !== 'open') return null;
  const owner = await ctx.repos.users.findById(share.userId);
  if (owner === null || owner.suspendedAt !== null || isGone(owner, ctx.now())) return null;
  return entitlementOf(owner, ctx.now()).isPremium ? { share, owner } : null;
}

/**
 * Opens a report by its link, computed now from its owner's data. The look is counted, but for the owner's own.
 * @throws AppError RATE_LIMITED; NOT_FOUND, always the same, for a link that is forged, expired or revoked, or whose
 * owner is gone, suspended or without Premium
 */
export async function openSharedReport(ctx: Ctx, token: string): Promise<SharedReport> {
  authorise(ctx.actor, 'report.open-shared');
  await ctx.throttle.take({ rule: THROTTLE_RULES.reportShareView, who: ctx.client.address });
  const open = await findOpen(ctx, token);
  if (open === null) throw noShare();
  const { share, owner } = open;
  const isOwner = ctx.actor.kind === 'user' && ctx.actor.id === owner.id;
  const look = { at: ctx.now(), from: addressClass(ctx.client.address) };
  if (!isOwner && !(await ctx.repos.reportShares.countView(owner.id, share.hash, look, MAX_LISTED_VIEWS)))
    throw noShare();
  const { id, timeZone } = owner;
  return {
    report: await writeReport(ctx, { id, timeZone }, share),
    until: `${shownInstant(share.expiresAt, timeZone)} (${timeZone})`,
  };
}
