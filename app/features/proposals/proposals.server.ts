import { createHash } from 'node:crypto';
import { AppError, conflict, isAppError, isTransient } from '#app/domain/errors.ts';
import {
  changeLines,
  MAX_PROPOSAL_LENGTH,
  MAX_WAITING_PROPOSALS,
  PROPOSAL_KEPT_MS,
  PROPOSAL_LIFE_MS,
  PROPOSAL_MESSAGES,
  proposalState,
  partText,
  subjectText,
  type ChangeLine,
  type ProposalState,
} from '#app/domain/proposals/proposal.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { authoriseUser, authoriseCall } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { jsonSchemaOf } from '#app/platform/api/json-schema.ts';
import type { Operation } from '#app/platform/api/operation.ts';
import { checkCallWith, runCallWith, type CallValues } from '#app/platform/api/run-call.server.ts';
import { proposalData } from '#app/domain/webhooks/webhook.ts';
import { recordChange } from '#app/features/webhooks/index.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import type { ProposalRecord } from '#models/index.server.ts';
import { pageFrom, type PageRequest } from '#app/platform/pagination.server.ts';
import { repos } from './repositories.server.ts';

/** Every call of the API. A function, because the list includes the calls about proposals themselves. */
export type Operations = () => readonly Operation[];

/** A proposal as its owner sees it. */
export interface ProposalView {
  id: string;
  /** Id of the call it would make: `takeDose`. */
  operation: string;
  /** What the call does, in words. */
  summary: string;
  state: ProposalState;
  /** The record it would change, as it is now; null if unknown. */
  subject: string | null;
  changes: ChangeLine[];
  /** What the owner is asked about before it is carried out: amounts that are probably a slip. */
  questions: string[];
  /** The result, or why it could not be carried out so far. */
  message: string | null;
  /** Id of the personal token that proposed it; `terminal` for a program started there. */
  source: string;
  createdAt: Date;
  expiresAt: Date;
  answeredAt: Date | null;
  /** A digest of what the owner sees; it changes when that changes. */
  mark: string;
}

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

const notFound = () => new AppError('NOT_FOUND', PROPOSAL_MESSAGES.none);

const valuesOf = ({ values }: ProposalRecord): CallValues => JSON.parse(values) as CallValues;

/** The default of each field, for calls that create something. */
function defaultsOf(operation: Operation | undefined): Readonly<Record<string, unknown>> {
  if (operation?.creates === undefined || operation.body === null) return {};
  const { properties = {} } = jsonSchemaOf(operation.body, 'input');
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, property.default]));
}

/** Ends the transaction of a call that was only tried, so that nothing of it stays. */
class Tried extends Error {}

/**
 * What a call would ask about. It is tried in a transaction that is never committed; only calls that ask are tried, and those
 * do nothing outside the database before they are committed.
 */
async function questionsOf(
  ctx: Ctx,
  all: readonly Operation[],
  operation: Operation,
  values: CallValues,
): Promise<string[]> {
  if (operation.errors?.includes('CONFIRM_DOSE') !== true) return [];
  try {
    return await ctx.transaction(async () => {
      await runCallWith(all, operation, ctx, values);
      throw new Tried();
    });
  } catch (error) {
    if (error instanceof Tried) return [];
    // Whatever else stands in its way is said when it is carried out.
    if (isAppError(error)) return (error.warnings ?? []).map(({ message }) => message);
    throw error;
  }
}

/** Describes the change as of now; without the record it would change, only with the new values. */
async function describe(
  ctx: Ctx,
  all: readonly Operation[],
  record: ProposalRecord,
): Promise<Pick<ProposalView, 'subject' | 'changes' | 'questions' | 'message'>> {
  const { query, body } = valuesOf(record);
  const operation = all.find(({ id }) => id === record.operation);
  const linesFor = (subject: Parameters<typeof changeLines>[1]) =>
    changeLines({ ...query, ...body }, subject, ctx.timeZone, defaultsOf(operation));
  const alone = { subject: null, changes: linesFor(null), questions: [], message: record.message };
  if (proposalState(record, ctx.now()) !== 'waiting') return alone;
  if (operation === undefined) return { ...alone, message: PROPOSAL_MESSAGES.unknown };
  try {
    const { subject, part } = await checkCallWith(all, operation, ctx, valuesOf(record));
    const about = [
      subjectText(subject, ctx.timeZone),
      part === null ? null : partText(part, subject, ctx.timeZone),
    ].filter((text) => text !== null);
    return {
      subject: about.length === 0 ? null : about.join('; '),
      changes: linesFor(subject),
      questions: await questionsOf(ctx, all, operation, valuesOf(record)),
      message: record.message,
    };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { ...alone, message: error.message };
  }
}

async function viewOf(ctx: Ctx, all: readonly Operation[], record: ProposalRecord): Promise<ProposalView> {
  const { id, operation, summary, source, createdAt, expiresAt, answeredAt } = record;
  const described = await describe(ctx, all, record);
  return {
    id,
    operation,
    summary,
    state: proposalState(record, ctx.now()),
    ...described,
    source,
    createdAt,
    expiresAt,
    answeredAt,
    mark: digest([summary, described.subject, described.changes, described.questions]),
  };
}

/**
 * The values to store for a waiting call. A dose without `takenAt` gets the time of the proposal, not that of its
 * acceptance. `confirm` is removed, because only the owner may confirm an unusual amount.
 */
function waitingValues(
  { body: schema }: Operation,
  { params, query, body }: CallValues,
  now: Date,
): CallValues {
  const { confirm: _inBody, ...fields } = body;
  const { confirm: _inQuery, ...input } = query;
  const { properties = {}, required = [] } = schema === null ? {} : jsonSchemaOf(schema, 'input');
  const isUnsaid = 'takenAt' in properties && !required.includes('takenAt') && fields['takenAt'] == null;
  return { params, query: input, body: isUnsaid ? { ...fields, takenAt: now.toISOString() } : fields };
}

/**
 * Stores a change for its owner to accept, and writes nothing else. If an equal proposal is already waiting, it is returned
 * instead.
 * @throws AppError as the call itself for missing permissions, invalid values and missing records; INVALID_INPUT when it
 * is too long; CONFLICT (LIMIT_REACHED) when too many are waiting
 */
export async function propose(
  ctx: Ctx,
  operations: Operations,
  operation: Operation,
  sent: CallValues,
): Promise<ProposalView> {
  const user = authoriseUser(ctx.actor, 'proposal.create');
  const all = operations();
  authoriseCall(ctx.actor, operation);
  const now = ctx.now();
  const values = waitingValues(operation, sent, now);
  const text = JSON.stringify(values);
  if (text.length > MAX_PROPOSAL_LENGTH) throw new AppError('INVALID_INPUT', PROPOSAL_MESSAGES.tooLong);
  const { part } = await checkCallWith(all, operation, ctx, values);
  if (operation.method === 'DELETE' && part?.place === -1 && part.total > 0)
    throw new AppError('NOT_FOUND', PROPOSAL_MESSAGES.noPart);
  const { proposals } = repos(ctx);
  const fingerprint = digest([operation.id, sent]);
  const same = await proposals.findSame(user.id, fingerprint, now);
  if (same !== null) return viewOf(ctx, all, same);
  const id = `prop_${newId(now)}`;
  const proposal = {
    id,
    userId: user.id,
    operation: operation.id,
    summary: operation.summary,
    values: text,
    fingerprint,
    source: user.apiToken?.id ?? 'page',
    state: 'waiting' as const,
    message: null,
    claimedUntil: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + PROPOSAL_LIFE_MS),
    answeredAt: null,
    removedAt: new Date(now.getTime() + PROPOSAL_KEPT_MS),
  };
  const tooMany = () => conflict('LIMIT_REACHED', PROPOSAL_MESSAGES.tooMany);
  const countWaiting = () => proposals.count(user.id, { waiting: true, now });
  await ctx.transaction(async () => {
    if ((await countWaiting()) >= MAX_WAITING_PROPOSALS) throw tooMany();
    await proposals.create(proposal);
    await recordChange(ctx, user.id, ['proposal.created'], proposalData(proposal));
  });
  // Counted again, so that simultaneous proposals cannot exceed the limit.
  if ((await countWaiting()) > MAX_WAITING_PROPOSALS) {
    await proposals.remove(user.id, id);
    throw tooMany();
  }
  return getProposal(ctx, operations, id);
}

/** @throws AppError NOT_FOUND when the signed-in user has no such proposal */
export async function getProposal(ctx: Ctx, operations: Operations, id: string): Promise<ProposalView> {
  const user = authoriseUser(ctx.actor, 'proposal.read');
  const record = await repos(ctx).proposals.find(user.id, id);
  if (record === null) throw notFound();
  return viewOf(ctx, operations(), record);
}

/** One page of proposals, newest first, with their total. @param waiting only waiting ones, or only the others */
export async function listProposals(
  ctx: Ctx,
  operations: Operations,
  { waiting, ...request }: PageRequest & { waiting?: boolean },
): Promise<{ proposals: ProposalView[]; page: number; limit: number; total: number; next: string | null }> {
  const user = authoriseUser(ctx.actor, 'proposal.read');
  const chosen = { ...(waiting !== undefined && { waiting }), now: ctx.now() };
  const { items, paging } = await pageFrom<ProposalRecord>(request, {
    name: 'proposals',
    kinds: ['instant', 'text'],
    placeOf: ({ createdAt, id }) => [createdAt, id],
    read: (slice) => repos(ctx).proposals.list(user.id, { ...chosen, ...slice }),
    count: () => repos(ctx).proposals.count(user.id, chosen),
  });
  const all = operations();
  const proposals: ProposalView[] = [];
  for (const record of items) proposals.push(await viewOf(ctx, all, record));
  return { proposals, ...paging };
}

/** The number of proposals waiting for the signed-in user. */
export async function countWaitingProposals(ctx: Ctx): Promise<number> {
  const user = authoriseUser(ctx.actor, 'proposal.read');
  return repos(ctx).proposals.count(user.id, { waiting: true, now: ctx.now() });
}

/** Why a proposal can no longer be answered. */
function answered(state: ProposalState): AppError {
  if (state === 'accepting') return conflict('ALREADY_RUNNING', PROPOSAL_MESSAGES.running);
  if (state === 'expired') return conflict('WRONG_STATE', PROPOSAL_MESSAGES.expired);
  if (state === 'interrupted') return conflict('WRONG_STATE', PROPOSAL_MESSAGES.interrupted);
  return conflict('WRONG_STATE', PROPOSAL_MESSAGES.answered);
}

/** The owner's acceptance, and what they saw when they gave it. */
export interface Acceptance {
  id: string;
  /** See {@link ProposalView}. */
  mark: string;
  /** They confirmed an unusual amount. */
  confirm: boolean;
}

/** A change that takes longer than this, in ms, was cut off; it is not tried again. */
const CLAIM_MS = MINUTE_MS;

/** Adds the owner's confirmation of an unusual amount where the call expects it. */
function confirmed(operation: Operation, values: CallValues, confirm: boolean): CallValues {
  if (!confirm) return values;
  const isInQuery = 'confirm' in operation.query.shape;
  return isInQuery
    ? { ...values, query: { ...values.query, confirm: true } }
    : { ...values, body: { ...values.body, confirm: true } };
}

/**
 * Makes a proposed change once, with the permissions and checks of this moment. Only the owner can, in a session; a token
 * cannot. A change that is refused stays waiting, with the reason; one that was cut off is not tried again.
 * @returns the success message
 * @throws AppError FORBIDDEN for a token, NOT_FOUND; CHANGED_MEANWHILE, WRONG_STATE and ALREADY_RUNNING as conflicts; as
 * the call itself
 */
export async function acceptProposal(
  ctx: Ctx,
  operations: Operations,
  { id, mark, confirm }: Acceptance,
): Promise<string> {
  const user = authoriseUser(ctx.actor, 'proposal.accept');
  const { proposals } = repos(ctx);
  const all = operations();
  const record = await proposals.find(user.id, id);
  if (record === null) throw notFound();
  const view = await viewOf(ctx, all, record);
  // Submitted twice: it was done the first time.
  if (view.state === 'accepted') return view.message ?? PROPOSAL_MESSAGES.accepted;
  if (view.state !== 'waiting') throw answered(view.state);
  const operation = all.find((one) => one.id === record.operation);
  if (operation === undefined) throw conflict('WRONG_STATE', PROPOSAL_MESSAGES.unknown);
  if (view.mark !== mark) throw conflict('CHANGED_MEANWHILE', PROPOSAL_MESSAGES.changed);
  const now = ctx.now();
  if (!(await proposals.claim(user.id, id, now, new Date(now.getTime() + CLAIM_MS))))
    throw conflict('ALREADY_RUNNING', PROPOSAL_MESSAGES.running);
  try {
    const answer = await runCallWith(all, operation, ctx, confirmed(operation, valuesOf(record), confirm));
    const { message = null } =
      'body' in answer ? (JSON.parse(answer.body) as { message?: string | null }) : {};
    await ctx.transaction(async () => {
      await proposals.settle(user.id, id, { state: 'accepted', message, answeredAt: ctx.now() });
      await recordChange(ctx, user.id, ['proposal.accepted'], proposalData(record));
    });
    return message ?? PROPOSAL_MESSAGES.accepted;
  } catch (error) {
    // A refused call wrote nothing. After any other error the change may be half done, so it is not tried again.
    if (isAppError(error) && !isTransient(error))
      await proposals.settle(user.id, id, { state: 'waiting', message: error.message, answeredAt: null });
    throw error;
  }
}

/** Declines a proposal. Part of an act. @returns whether it was waiting */
async function decline(ctx: Ctx, userId: string, id: string): Promise<boolean> {
  const declined = await repos(ctx).proposals.decline(userId, id, ctx.now());
  if (declined !== null) await recordChange(ctx, userId, ['proposal.declined'], proposalData(declined));
  return declined !== null;
}

/** @throws AppError NOT_FOUND; CONFLICT when it was accepted or has expired */
export async function declineProposal(ctx: Ctx, operations: Operations, id: string): Promise<ProposalView> {
  const user = authoriseUser(ctx.actor, 'proposal.decline');
  const isDone = await ctx.transaction(() => decline(ctx, user.id, id));
  const proposal = await getProposal(ctx, operations, id);
  if (!isDone && proposal.state !== 'declined') throw answered(proposal.state);
  return proposal;
}

/** Declines all waiting proposals. @returns how many */
export async function declineAllProposals(ctx: Ctx): Promise<number> {
  const user = authoriseUser(ctx.actor, 'proposal.decline');
  return ctx.transaction(async () => {
    const chosen = { waiting: true, now: ctx.now(), skip: 0, limit: MAX_WAITING_PROPOSALS };
    const waiting = await repos(ctx).proposals.list(user.id, chosen);
    for (const { id } of waiting) await decline(ctx, user.id, id);
    return waiting.length;
  });
}
