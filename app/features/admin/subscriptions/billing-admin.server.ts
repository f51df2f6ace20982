import {
  SUBSCRIPTION_EVENT_TYPES,
  type LedgerRow,
  type SubscriptionEventType,
} from '#app/domain/billing/subscription-events.ts';
import type { IssueRecord, IssueStatus } from '#app/domain/billing/billing-issues.ts';
import { AppError } from '#app/domain/errors.ts';
import { issueMail } from '#app/domain/billing/billing-mails.ts';
import type { MailText } from '#app/domain/mail/letter.ts';
import {
  contactUserSchema,
  settleIssueSchema,
  type ContactUserInput,
  type SettleIssueInput,
} from '#app/domain/admin/billing-issue-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { oncePerPress } from '#app/platform/idempotency/idempotency.server.ts';
import { authoriseRecentOver } from '#app/platform/access/recent-sign-in.server.ts';

export const EVENT_PAGE = 20;

/** Whose something is: the address is looked up when it is shown, null when the account is gone. */
interface Whose {
  userId: string;
  userEmail: string | null;
}

export type EventView = LedgerRow & Whose;
/** Its id is the owner's and the issue's. */
export type IssueView = IssueRecord & Whose;

/** Part of a list, the newest first. */
export interface DeskPage<T> {
  rows: T[];
  /** For the next page; null on the last one. */
  next: string | null;
}

const PLACE = /^(\d{1,15})~(.{1,200})$/;

/** Where a page goes on. What is no place is the beginning. */
function placeOf(text: string | undefined): { at: Date; id: string } | undefined {
  const [, ms = '', id = ''] = PLACE.exec(text ?? '') ?? [];
  return ms === '' ? undefined : { at: new Date(Number(ms)), id };
}

async function withAddresses<T extends { userId: string }>(ctx: Ctx, rows: readonly T[]) {
  const addresses = await ctx.repos.billingAdmin.addressesOf(rows.map(({ userId }) => userId));
  return rows.map((row) => ({ ...row, userEmail: addresses.get(row.userId) ?? null }));
}

async function pageOf<T extends { id: string; userId: string }>(
  ctx: Ctx,
  found: readonly T[],
  timeOf: (row: T) => Date,
): Promise<DeskPage<T & Whose>> {
  const rows = await withAddresses(ctx, found.slice(0, EVENT_PAGE));
  const last = rows.at(-1);
  const isMore = found.length > EVENT_PAGE && last !== undefined;
  return { rows, next: isMore ? `${timeOf(last).getTime()}~${last.id}` : null };
}

/** The type of events that a list is narrowed to; what is none narrows nothing. */
export function eventTypeOf(name: string | null): SubscriptionEventType | undefined {
  return SUBSCRIPTION_EVENT_TYPES.find((type) => type === name);
}

/** Subscription events of everybody, of one type or of all. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function listSubscriptionEvents(
  ctx: Ctx,
  after?: string,
  type?: SubscriptionEventType,
): Promise<DeskPage<EventView>> {
  authorise(ctx.actor, 'billing-desk.read');
  const found = await ctx.repos.billingAdmin.listEvents(EVENT_PAGE + 1, placeOf(after), type);
  return pageOf(ctx, found, ({ createdAt }) => createdAt);
}

/** Billing issues of everybody in one state. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function listBillingIssues(
  ctx: Ctx,
  status: IssueStatus,
  after?: string,
): Promise<DeskPage<IssueView>> {
  authorise(ctx.actor, 'billing-desk.read');
  const found = await ctx.repos.billingAdmin.listIssues(status, EVENT_PAGE + 1, placeOf(after));
  return pageOf(ctx, found, ({ openedAt }) => openedAt);
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND */
export async function getBillingIssue(ctx: Ctx, id: string): Promise<IssueView> {
  authorise(ctx.actor, 'billing-desk.read');
  const issue = await ctx.repos.billingAdmin.findIssue(id);
  if (issue === null) throw new AppError('NOT_FOUND', 'There is no such billing issue.');
  const [view] = await withAddresses(ctx, [issue]);
  return view ?? { ...issue, userEmail: null };
}

async function settle(
  ctx: Ctx,
  id: string,
  input: SettleIssueInput,
  to: 'escalated' | 'resolved',
): Promise<void> {
  authoriseRecentOver(ctx, 'billing-desk.settle', {});
  const { seen, reason } = parseInput(settleIssueSchema, input);
  const issue = await getBillingIssue(ctx, id);
  const resolvedAt = to === 'resolved' ? ctx.now() : null;
  const isStep = seen !== to;
  const moved = isStep && (await ctx.repos.billingAdmin.moveIssue(id, seen, to, resolvedAt));
  if (!moved) throw new AppError('CONFLICT', 'Somebody has changed this issue meanwhile. Look at it again.');
  await recordAudit(ctx, {
    action: to === 'resolved' ? 'billing-issue.resolve' : 'billing-issue.escalate',
    subjectId: issue.userId,
    before: { issue: id, status: seen },
    after: { issue: id, status: to },
    reason,
  });
}

/**
 * Marks an open or escalated issue as resolved.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, NOT_FOUND, CONFLICT when it has changed meanwhile
 */
export function resolveIssue(ctx: Ctx, id: string, input: SettleIssueInput): Promise<void> {
  return settle(ctx, id, input, 'resolved');
}

/**
 * Hands an open issue on: it stands with the escalated ones until somebody resolves it.
 * @throws AppError as {@link resolveIssue}
 */
export function escalateIssue(ctx: Ctx, id: string, input: SettleIssueInput): Promise<void> {
  return settle(ctx, id, input, 'escalated');
}

/** A mail as its reader would get it. */
export interface MailPreview extends MailText {
  to: string;
}

async function compose(ctx: Ctx, issue: IssueView, input: ContactUserInput): Promise<MailPreview> {
  const { template, note } = parseInput(contactUserSchema, input);
  if (issue.userEmail === null)
    throw new AppError('CONFLICT', 'The account is gone; there is nobody to write to.');
  const mail = issueMail({ appUrl: ctx.appUrl, template, amountCents: issue.amountCents, note });
  return Promise.resolve({ to: issue.userEmail, ...mail });
}

/** What {@link contactUser} would send. @throws AppError FORBIDDEN, INVALID_INPUT, NOT_FOUND, CONFLICT */
export async function previewContact(ctx: Ctx, id: string, input: ContactUserInput): Promise<MailPreview> {
  return compose(ctx, await getBillingIssue(ctx, id), input);
}

/**
 * Writes to the owner of an issue. `saveKey` names one press of the button: sent twice, it is one mail.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, NOT_FOUND, CONFLICT when the account is gone
 */
export async function contactUser(ctx: Ctx, id: string, input: ContactUserInput): Promise<void> {
  authoriseRecentOver(ctx, 'billing-desk.settle', {});
  const issue = await getBillingIssue(ctx, id);
  const { to, ...mail } = await compose(ctx, issue, input);
  const write = async () => {
    await recordAudit(ctx, {
      action: 'billing-issue.contact',
      subjectId: issue.userId,
      before: {},
      after: { issue: id, template: input.template, subject: mail.subject },
    });
    ctx.mailQueue.post(to, mail);
  };
  const { saveKey } = parseInput(contactUserSchema, input);
  if (saveKey === undefined) await write();
  else await oncePerPress(ctx, issue.userId, `contact ${id} ${saveKey}`, write);
}
