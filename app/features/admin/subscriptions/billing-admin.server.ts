import {
  SUBSCRIPTION_EVENT_TYPES,
  type SubscriptionEvent,
  type SubscriptionEventType,
} from '#app/domain/billing/subscription-events.ts';
import type { IssueRecord, IssueStatus } from '#app/domain/billing/billing-state.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { issueMail } from '#app/domain/billing/billing-mails.ts';
import type { MailText } from '#app/domain/mail/letter.ts';
import {
  contactUserSchema,
  changeIssueSchema,
  type ContactUserInput,
  type ChangeIssueInput,
} from '#app/domain/admin/admin-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise, authoriseRecentOver } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { oncePerFormKey } from '#app/platform/idempotency/idempotency.server.ts';
import { readListCursor, writeListCursor } from '#app/platform/pagination.server.ts';
import { repos } from '../repositories.server.ts';

export const EVENT_PAGE = 20;

/** The account that a row belongs to. The email is looked up for each view; null if the account was deleted. */
interface AccountAddress {
  userId: string;
  userEmail: string | null;
}

export type EventView = SubscriptionEvent & AccountAddress;
/** `id` combines the owner's id and the issue's. */
export type IssueView = IssueRecord & AccountAddress;

/** One page of a list, newest first. */
export interface NewestFirstPage<T> {
  rows: T[];
  /** Cursor of the next page; null on the last page. */
  next: string | null;
}

type ListName = 'subscription-events' | 'billing-issues';

/** Where a page starts. An invalid cursor means the first page. */
function placeOf(list: ListName, cursor: string | undefined): { at: Date; id: string } | undefined {
  const place = readListCursor(cursor, list, 'instant')?.place;
  return place && { at: place.value as Date, id: place.id };
}

async function withAddress<T extends { userId: string }>(ctx: Ctx, rows: readonly T[]) {
  const addresses = await repos(ctx).userLists.findEmails(rows.map(({ userId }) => userId));
  return rows.map((row) => ({ ...row, userEmail: addresses.get(row.userId) ?? null }));
}

async function pageOf<T extends { id: string; userId: string }>(
  ctx: Ctx,
  list: ListName,
  found: readonly T[],
  timeOf: (row: T) => Date,
): Promise<NewestFirstPage<T & AccountAddress>> {
  const rows = await withAddress(ctx, found.slice(0, EVENT_PAGE));
  const last = rows.at(-1);
  const isMore = found.length > EVENT_PAGE && last !== undefined;
  const next = isMore ? { list, backwards: false, place: { value: timeOf(last), id: last.id } } : null;
  return { rows, next: next && writeListCursor(next) };
}

/** Parses the event filter; undefined for all types and for an unknown one. */
export function eventTypeOf(name: string | null): SubscriptionEventType | undefined {
  return SUBSCRIPTION_EVENT_TYPES.find((type) => type === name);
}

/** Subscription events of all accounts, of one type or all. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function listSubscriptionEvents(
  ctx: Ctx,
  after?: string,
  type?: SubscriptionEventType,
): Promise<NewestFirstPage<EventView>> {
  authorise(ctx.actor, 'billing-admin.read');
  const found = await repos(ctx).billingAdmin.listEvents(
    EVENT_PAGE + 1,
    placeOf('subscription-events', after),
    type,
  );
  return pageOf(ctx, 'subscription-events', found, ({ createdAt }) => createdAt);
}

/** Billing issues of all accounts with one status. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function listBillingIssues(
  ctx: Ctx,
  status: IssueStatus,
  after?: string,
): Promise<NewestFirstPage<IssueView>> {
  authorise(ctx.actor, 'billing-admin.read');
  const found = await repos(ctx).billingAdmin.listIssues(
    status,
    EVENT_PAGE + 1,
    placeOf('billing-issues', after),
  );
  return pageOf(ctx, 'billing-issues', found, ({ openedAt }) => openedAt);
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND */
export async function getBillingIssue(ctx: Ctx, id: string): Promise<IssueView> {
  authorise(ctx.actor, 'billing-admin.read');
  const issue = await repos(ctx).billingAdmin.findIssue(id);
  if (issue === null) throw new AppError('NOT_FOUND', 'There is no such billing issue.');
  const [view] = await withAddress(ctx, [issue]);
  return view ?? { ...issue, userEmail: null };
}

async function changeIssue(
  ctx: Ctx,
  id: string,
  input: ChangeIssueInput,
  to: 'escalated' | 'resolved',
): Promise<void> {
  authoriseRecentOver(ctx, 'billing-admin.change', {});
  const { seen, reason } = parseInput(changeIssueSchema, input);
  const resolvedAt = to === 'resolved' ? ctx.now() : null;
  await ctx.transaction(async () => {
    const issue = await getBillingIssue(ctx, id);
    const isStep = seen !== to;
    const moved = isStep && (await repos(ctx).billingAdmin.moveIssue(id, seen, to, resolvedAt));
    if (!moved)
      throw conflict('CHANGED_MEANWHILE', 'Someone else has changed this issue. Please check it again.');
    await recordAudit(ctx, {
      action: to === 'resolved' ? 'billing-issue.resolve' : 'billing-issue.escalate',
      subjectId: issue.userId,
      before: { issue: id, status: seen },
      after: { issue: id, status: to },
      reason,
    });
  });
}

/**
 * Marks an open or escalated issue as resolved.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, NOT_FOUND, CONFLICT when someone else has changed it
 */
export function resolveIssue(ctx: Ctx, id: string, input: ChangeIssueInput): Promise<void> {
  return changeIssue(ctx, id, input, 'resolved');
}

/**
 * Escalates an open issue.
 * @throws AppError as {@link resolveIssue}
 */
export function escalateIssue(ctx: Ctx, id: string, input: ChangeIssueInput): Promise<void> {
  return changeIssue(ctx, id, input, 'escalated');
}

/** A mail exactly as its recipient would get it. */
export interface MailPreview extends MailText {
  to: string;
}

function compose(ctx: Ctx, issue: IssueView, input: ContactUserInput): MailPreview {
  const { template, note } = parseInput(contactUserSchema, input);
  if (issue.userEmail === null)
    throw conflict('WRONG_STATE', 'This account has been deleted, so there is nobody to write to.');
  const mail = issueMail({ appUrl: ctx.appUrl, template, amountCents: issue.amountCents, note });
  return { to: issue.userEmail, ...mail };
}

/** What {@link contactUser} would send. @throws AppError FORBIDDEN, INVALID_INPUT, NOT_FOUND, CONFLICT */
export async function previewContact(ctx: Ctx, id: string, input: ContactUserInput): Promise<MailPreview> {
  return compose(ctx, await getBillingIssue(ctx, id), input);
}

/**
 * Sends a mail to the owner of an issue. `saveKey` identifies one submission, so that submitting twice sends one mail.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, NOT_FOUND, CONFLICT when the account was deleted
 */
export async function contactUser(ctx: Ctx, id: string, input: ContactUserInput): Promise<void> {
  authoriseRecentOver(ctx, 'billing-admin.change', {});
  const issue = await getBillingIssue(ctx, id);
  const { to, ...mail } = compose(ctx, issue, input);
  const write = () =>
    ctx.transaction(async () => {
      await recordAudit(ctx, {
        action: 'billing-issue.contact',
        subjectId: issue.userId,
        before: {},
        after: { issue: id, template: input.template, subject: mail.subject },
      });
      await ctx.mailQueue.post(to, mail);
    });
  const { saveKey } = parseInput(contactUserSchema, input);
  if (saveKey === undefined) await write();
  else await oncePerFormKey(ctx, issue.userId, `contact ${id} ${saveKey}`, write);
}
