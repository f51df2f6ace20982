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
import { newId } from '#app/platform/ids.server.ts';
import type { ProposalRecord } from '#models/index.server.ts';

/** Every call of the API. A function, because the calls about proposals are among them. */
export type Operations = () => readonly Operation[];

/** A proposal as its owner sees it. */
export interface ProposalView {
  id: string;
  /** Id of the call that it would make: `takeDose`. */
  operation: string;
  /** What that does, in words. */
  summary: string;
  state: ProposalState;
  /** What it is about, as it is now; null where that cannot be told. */
  subject: string | null;
  changes: ChangeLine[];
  /** What became of it, or why it could not be done so far. */
  message: string | null;
  /** Id of the personal token that it came with; `terminal` for a program started there. */
  source: string;
  createdAt: Date;
  expiresAt: Date;
  answeredAt: Date | null;
  /** Equal for as long as what its owner reads is the same. */
  mark: string;
}

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

const notFound = () => new AppError('NOT_FOUND', PROPOSAL_MESSAGES.none);

const valuesOf = ({ values }: ProposalRecord): CallValues => JSON.parse(values) as CallValues;

/** What a call that makes something takes the fields to be that it is not given. */
function defaultsOf(operation: Operation | undefined): Readonly<Record<string, unknown>> {
  if (operation?.creates === undefined || operation.body === null) return {};
  const { properties = {} } = jsonSchemaOf(operation.body, 'input');
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, property.default]));
}

/** What can be said of the change now; without the thing that it is about its values stand alone. */
async function describe(
  ctx: Ctx,
  all: readonly Operation[],
  record: ProposalRecord,
): Promise<Pick<ProposalView, 'subject' | 'changes' | 'message'>> {
  const { query, body } = valuesOf(record);
  const operation = all.find(({ id }) => id === record.operation);
  const linesFor = (subject: Parameters<typeof changeLines>[1]) =>
    changeLines({ ...query, ...body }, subject, ctx.timeZone, defaultsOf(operation));
  const alone = { subject: null, changes: linesFor(null), message: record.message };
  if (proposalState(record, ctx.now()) !== 'waiting') return alone;
  if (operation === undefined) return { ...alone, message: PROPOSAL_MESSAGES.unknown };
  try {
    const { subject } = await checkCallWith(all, operation, ctx, valuesOf(record));
    return {
      subject: subjectText(subject, ctx.timeZone),
      changes: linesFor(subject),
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
    mark: digest([summary, described.subject, described.changes]),
  };
}

/**
 * A call as it waits: a dose was taken when the program said so, or when it asked, not when its owner gets round to the
 * answer; and a question about an unusual amount is theirs to answer.
 */
function waitingValues(
  { body: schema }: Operation,
  { params, query, body }: CallValues,
  now: Date,
): CallValues {
  const { confirm: _inBody, ...fields } = body;
  const { confirm: _inQuery, ...asked } = query;
  const { properties = {}, required = [] } = schema === null ? {} : jsonSchemaOf(schema, 'input');
  const isUnsaid = 'takenAt' in properties && !required.includes('takenAt') && fields['takenAt'] == null;
  return { params, query: asked, body: isUnsaid ? { ...fields, takenAt: now.toISOString() } : fields };
}

/**
 * Keeps a change for its owner to accept. Nothing else is written, and an equal one that waits already stands for both.
 * @throws AppError as the call itself would for somebody who may not make it, for values that do not fit and for things
 * that are not there; INVALID_INPUT when it is too long; LIMIT_REACHED as a conflict when too many wait
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
  await checkCallWith(all, operation, ctx, values);
  const { proposals } = ctx.repos;
  const fingerprint = digest([operation.id, sent]);
  const same = await proposals.findSame(user.id, fingerprint, now);
  if (same !== null) return viewOf(ctx, all, same);
  const id = `prop_${newId(now)}`;
  await proposals.create({
    id,
    userId: user.id,
    operation: operation.id,
    summary: operation.summary,
    values: text,
    fingerprint,
    source: user.apiToken?.id ?? 'page',
    state: 'waiting',
    message: null,
    claimedUntil: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + PROPOSAL_LIFE_MS),
    answeredAt: null,
    removedAt: new Date(now.getTime() + PROPOSAL_KEPT_MS),
  });
  // Counted afterwards, so that of several at once none gets past the limit.
  if ((await proposals.count(user.id, { waiting: true, now })) > MAX_WAITING_PROPOSALS) {
    await proposals.remove(user.id, id);
    throw conflict('LIMIT_REACHED', PROPOSAL_MESSAGES.tooMany);
  }
  return getProposal(ctx, operations, id);
}

/** @throws AppError NOT_FOUND when the signed-in user has no such proposal */
export async function getProposal(ctx: Ctx, operations: Operations, id: string): Promise<ProposalView> {
  const user = authoriseUser(ctx.actor, 'proposal.read');
  const record = await ctx.repos.proposals.find(user.id, id);
  if (record === null) throw notFound();
  return viewOf(ctx, operations(), record);
}

/** One page of proposals, the newest first, with how many there are. @param waiting all others, or only those */
export async function listProposals(
  ctx: Ctx,
  operations: Operations,
  { page, limit, waiting }: { page: number; limit: number; waiting?: boolean },
): Promise<{ proposals: ProposalView[]; total: number }> {
  const user = authoriseUser(ctx.actor, 'proposal.read');
  const chosen = { ...(waiting !== undefined && { waiting }), now: ctx.now() };
  const [records, total] = await Promise.all([
    ctx.repos.proposals.list(user.id, { ...chosen, skip: (page - 1) * limit, limit }),
    ctx.repos.proposals.count(user.id, chosen),
  ]);
  const all = operations();
  const proposals: ProposalView[] = [];
  for (const record of records) proposals.push(await viewOf(ctx, all, record));
  return { proposals, total };
}

/** How many proposals wait for the signed-in user. */
export async function countWaitingProposals(ctx: Ctx): Promise<number> {
  const user = authoriseUser(ctx.actor, 'proposal.read');
  return ctx.repos.proposals.count(user.id, { waiting: true, now: ctx.now() });
}

/** Why a proposal cannot be answered any more. */
function answered(state: ProposalState): AppError {
  if (state === 'accepting') return conflict('ALREADY_RUNNING', PROPOSAL_MESSAGES.running);
  if (state === 'expired') return conflict('WRONG_STATE', PROPOSAL_MESSAGES.expired);
  if (state === 'interrupted') return conflict('WRONG_STATE', PROPOSAL_MESSAGES.interrupted);
  return conflict('WRONG_STATE', PROPOSAL_MESSAGES.answered);
}

/** What its owner answers, and what they had in front of them. */
export interface Acceptance {
  id: string;
  /** See {@link ProposalView}. */
  mark: string;
  /** They were asked about an unusual amount and said yes. */
  confirm: boolean;
}

/** A change that is being made has ended by then, in ms; one that was cut off is not tried again. */
const CLAIM_MS = MINUTE_MS;

/** The owner's yes to an unusual amount stands where the call takes it; a program's own is never sent. */
function confirmed(operation: Operation, values: CallValues, confirm: boolean): CallValues {
  if (!confirm) return values;
  const isInQuery = 'confirm' in operation.query.shape;
  return isInQuery
    ? { ...values, query: { ...values.query, confirm: true } }
    : { ...values, body: { ...values.body, confirm: true } };
}

/**
 * Makes a proposed change, once, with the permission and the checks of this moment. Its owner does so in a session; no
 * token does. What cannot be done waits on with the reason; what was cut off is not tried again.
 * @returns what was done, in words
 * @throws AppError FORBIDDEN for a token, NOT_FOUND, CHANGED_MEANWHILE, WRONG_STATE and ALREADY_RUNNING as conflicts,
 * and what the call itself throws
 */
export async function acceptProposal(
  ctx: Ctx,
  operations: Operations,
  { id, mark, confirm }: Acceptance,
): Promise<string> {
  const user = authoriseUser(ctx.actor, 'proposal.accept');
  const { proposals } = ctx.repos;
  const all = operations();
  const record = await proposals.find(user.id, id);
  if (record === null) throw notFound();
  const view = await viewOf(ctx, all, record);
  // Pressed twice: it was done the first time.
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
    await proposals.settle(user.id, id, { state: 'accepted', message, answeredAt: ctx.now() });
    return message ?? PROPOSAL_MESSAGES.accepted;
  } catch (error) {
    // A refusal wrote nothing. Of anything else nobody knows how far it came.
    if (isAppError(error) && !isTransient(error))
      await proposals.settle(user.id, id, { state: 'waiting', message: error.message, answeredAt: null });
    throw error;
  }
}

/** @throws AppError NOT_FOUND; a conflict when it was accepted or is over */
export async function declineProposal(ctx: Ctx, operations: Operations, id: string): Promise<ProposalView> {
  const user = authoriseUser(ctx.actor, 'proposal.decline');
  const isDone = await ctx.repos.proposals.decline(user.id, id, ctx.now());
  const proposal = await getProposal(ctx, operations, id);
  if (!isDone && proposal.state !== 'declined') throw answered(proposal.state);
  return proposal;
}

/** Declines all that wait. @returns how many */
export async function declineAllProposals(ctx: Ctx): Promise<number> {
  const user = authoriseUser(ctx.actor, 'proposal.decline');
  return ctx.repos.proposals.declineAll(user.id, ctx.now());
}
