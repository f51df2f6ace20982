import { createHash } from 'node:crypto';
import type { AppLoadContext } from '@remix-run/node';
import { AppError, fieldError, isAppError } from '#app/domain/errors.ts';
import { type Ctx, contextAs } from '#app/platform/access/context.server.ts';
import { runOnce } from '#app/platform/idempotency/idempotency.server.ts';
import type { RouteArgs } from '#app/platform/http/guard.server.ts';
import { currentApp, readSessionToken, visitorContext } from '#app/platform/http/session.server.ts';
import { THROTTLE_RULES, type Bucket, type Quota } from '#app/platform/access/throttle.server.ts';
import { authoriseCall } from '#app/platform/access/authorise.server.ts';
import {
  type Envelope,
  failure,
  otherMethod,
  respond,
  respondWithFile,
  withHeaders,
} from './answer.server.ts';
import { preconditionOf } from './if-match.server.ts';
import { FileReply, tagStrengthOf, takesIfMatch, type Operation } from './operation.ts';
import { readJsonBody, readUpload, checkParams, checkQuery } from './input.server.ts';
import { runCall, runExpected, type Operations, type Sent } from './run-call.server.ts';

interface ApiCaller {
  ctx: Ctx;
  /** The bearer token; null for a cookie and for visitors. */
  token: string | null;
  /** Calls are counted by session, personal token or client. */
  countedAs: Bucket;
}

/** The bearer token of a request; undefined without the header, null if it holds something else. */
function bearerOf(request: Request): string | null | undefined {
  const header = request.headers.get('Authorization');
  if (header === null) return undefined;
  return /^Bearer +([\x21-\x7e]{1,500})$/i.exec(header.trim())?.[1] ?? null;
}

/** The user of a session token or, unless it is from the cookie, of a personal token. */
async function resolve(visitor: Ctx, token: string | null, isBearer: boolean) {
  const { findBySession, findByApiToken } = currentApp();
  const session = await findBySession(visitor, token);
  return session ?? (isBearer ? findByApiToken(visitor, token) : null);
}

function countedAs({ actor, client }: Ctx): Bucket {
  if (actor.kind !== 'user') return { rule: THROTTLE_RULES.apiClient, who: client.address };
  const who = actor.apiToken ? `token:${actor.apiToken.id}` : `session:${actor.sessionId}`;
  return { rule: THROTTLE_RULES.api, who };
}

/** The limit on calls, in the headers of draft-ietf-httpapi-ratelimit-headers. */
const limitHeaders = ({ limit, windowSeconds, remaining, resetSeconds }: Quota): Record<string, string> => ({
  'RateLimit-Policy': `"${THROTTLE_RULES.api.name}";q=${limit};w=${windowSeconds}`,
  RateLimit: `"${THROTTLE_RULES.api.name}";r=${remaining};t=${resetSeconds}`,
});

/**
 * Counts a call, and adds what is left to the headers of its response.
 * @throws AppError RATE_LIMITED
 */
async function count({ throttle }: Ctx, bucket: Bucket, headers: Record<string, string>): Promise<void> {
  const { quota, refusal } = await throttle.count(bucket);
  Object.assign(headers, limitHeaders(quota));
  if (refusal !== null) throw refusal;
}

/**
 * Identifies the caller by bearer token or session cookie.
 * @param mustBeKnown reject an invalid token; otherwise its bearer counts as a visitor
 * @param headers receives those of a rejection
 * @throws AppError UNAUTHENTICATED for an invalid token, RATE_LIMITED for too many of them, SUSPENDED
 */
async function findCaller(
  request: Request,
  context: AppLoadContext,
  mustBeKnown: boolean,
  headers: Record<string, string>,
): Promise<ApiCaller> {
  const visitor = visitorContext(request, context);
  const bearer = bearerOf(request);
  const token = bearer === undefined ? await readSessionToken(request) : bearer;
  const resolved = await resolve(visitor, token, bearer !== undefined).catch(async (error: unknown) => {
    if (!mustBeKnown) return null;
    if (isAppError(error)) await count(visitor, countedAs(visitor), headers);
    throw error;
  });
  if (resolved === null && bearer !== undefined && mustBeKnown) {
    await count(visitor, countedAs(visitor), headers);
    throw new AppError(
      'UNAUTHENTICATED',
      'This token is not valid, or it has expired. Please sign in again.',
    );
  }
  const ctx = resolved === null ? visitor : contextAs(visitor, resolved.actor);
  return { ctx, token: resolved === null ? null : (bearer ?? null), countedAs: countedAs(ctx) };
}

/**
 * The context of the owner of a personal token or a connection, for the door of assistants, which accepts nothing else. Counts
 * the request.
 * @throws AppError UNAUTHENTICATED without one, RATE_LIMITED, SUSPENDED
 */
export async function tokenContext(request: Request, context: AppLoadContext): Promise<Ctx> {
  const visitor = visitorContext(request, context);
  const bearer = bearerOf(request) ?? null;
  const { findByApiToken, findByConnection } = currentApp();
  const resolved =
    bearer === null
      ? null
      : ((await findByApiToken(visitor, bearer)) ?? (await findByConnection(visitor, bearer)));
  const ctx = resolved === null ? visitor : contextAs(visitor, resolved.actor);
  await ctx.throttle.take(countedAs(ctx));
  if (resolved !== null) return ctx;
  throw new AppError('UNAUTHENTICATED', 'Send a personal API token as Authorization: Bearer …');
}

async function readInput({ request, params }: RouteArgs, operation: Operation): Promise<Sent> {
  const inPath = checkParams(operation, params);
  const query = checkQuery(operation, new URL(request.url).searchParams);
  if (operation.method === 'GET') return { params: inPath, query, body: {}, file: null };
  if (operation.upload) {
    const file = await readUpload(request, operation.upload);
    return { params: inPath, query, body: {}, file };
  }
  return { params: inPath, query, body: await readJsonBody(request), file: null };
}

const KEY = /^[\x21-\x7e]{1,200}$/;

function keyOf(request: Request): string | null {
  const key = request.headers.get('Idempotency-Key');
  if (key === null || KEY.test(key)) return key;
  throw fieldError('Idempotency-Key', 'An Idempotency-Key must have 1 to 200 visible ASCII characters');
}

/** Equal for equal requests. */
async function fingerprint(request: Request, checked: { body: unknown; file: File | null }): Promise<string> {
  const { pathname, search } = new URL(request.url);
  const hash = createHash('sha256').update(JSON.stringify([request.method, pathname, search, checked.body]));
  if (checked.file) hash.update(new Uint8Array(await checked.file.arrayBuffer()));
  return hash.digest('base64url');
}

/**
 * Runs a write once per `Idempotency-Key` of a user; a repetition gets the first response. Without a key, for visitors and
 * for reads it simply runs.
 * @throws AppError INVALID_INPUT; KEY_REUSED, KEY_IN_USE and SECRET_NOT_KEPT as conflicts
 */
async function onlyOnce(
  request: Request,
  ctx: Ctx,
  operation: Operation,
  checked: { body: unknown; file: File | null },
  run: () => Promise<Envelope | FileReply>,
): Promise<Envelope | FileReply> {
  if (operation.scope === 'read' || ctx.actor.kind !== 'user') return run();
  const key = keyOf(request);
  if (key === null) return run();
  let file: FileReply | null = null;
  const { answer, isRepeated } = await runOnce<Envelope>(
    ctx,
    { key, fingerprint: await fingerprint(request, checked), keepsAnswer: operation.holdsSecret !== true },
    async () => {
      const result = await run();
      if (!(result instanceof FileReply)) return result;
      file = result;
      return { status: operation.status, body: '', headers: {} };
    },
  );
  if (file !== null) return file;
  return isRepeated ? { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } } : answer;
}

/** The calls of an address. */
export interface Address {
  operations: Operations;
  /** The GET that returns what the address is about; undefined if there is none. */
  reader: Operation | undefined;
}

/** @param headers receives the headers of the response, whatever its outcome */
async function answer(
  args: RouteArgs,
  { operations, reader }: Address,
  operation: Operation,
  headers: Record<string, string>,
): Promise<Envelope | FileReply> {
  const { request, context } = args;
  const caller = await findCaller(request, context, operation.access !== 'public', headers);
  await count(caller.ctx, caller.countedAs, headers);
  authoriseCall(caller.ctx.actor, operation);
  const sent = await readInput(args, operation);
  const precondition = takesIfMatch(operation) ? preconditionOf(request.headers.get('If-Match')) : null;
  return onlyOnce(request, caller.ctx, operation, sent, () =>
    precondition === null
      ? runCall(operations, operation, caller, sent)
      : runExpected(operations, operation, caller, sent, { precondition, reader }),
  );
}

/** The address of a list's next page, as in a `Link` header. */
function nextLink(request: Request, cursor: string): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete('page');
  searchParams.set('cursor', cursor);
  return `<${currentApp().settings.APP_URL}${pathname}?${searchParams}>; rel="next"`;
}

/** Handles one call from request to response. No input makes it throw. */
export async function serve(args: RouteArgs, address: Address): Promise<Response> {
  const { request, context } = args;
  const { operations } = address;
  const operation = operations[request.method === 'HEAD' ? 'GET' : request.method];
  if (operation === undefined) {
    const allowed = Object.keys(operations).flatMap((method) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    return otherMethod(request, allowed, context.requestId);
  }
  const headers: Record<string, string> = {};
  try {
    const answered = await answer(args, address, operation, headers);
    if (answered instanceof FileReply) return await respondWithFile(args, answered, headers);
    if (answered.next !== undefined) headers['Link'] = nextLink(request, answered.next);
    return await respond(request, withHeaders(answered, headers), tagStrengthOf(operation));
  } catch (error) {
    return respond(request, withHeaders(failure(error, context.requestId), headers));
  }
}
