import type { AppLoadContext, ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { AppError } from '#app/domain/errors.ts';
import { contextAs, type Ctx } from '#app/platform/access/context.server.ts';
import { currentApp, readSessionToken, visitorContext } from '#app/platform/http/session.server.ts';
import { THROTTLE_RULES, type Quota } from '#app/platform/access/throttle.server.ts';
import { authoriseCall } from '#app/platform/access/api-access.server.ts';
import {
  failure,
  methodNotAllowed,
  respond,
  respondWithFile,
  success,
  type Envelope,
} from './answer.server.ts';
import { readJsonBody, readUpload } from './body.server.ts';
import { changesIn, checkBody, checkParams, checkQuery } from './input.server.ts';
import { FileReply, Reply, type Operation } from './operation.ts';
import { onlyOnce } from './idempotency.server.ts';

/** Who makes a call. */
interface ApiCaller {
  ctx: Ctx;
  /** The bearer token; null for a cookie and for visitors. */
  token: string | null;
  /** Whose calls are counted together: the sign-in, the personal token, or the client. */
  countedAs: string;
}

/** The bearer token of a request; undefined without one, null when the header is something else. */
function bearerOf(request: Request): string | null | undefined {
  const header = request.headers.get('Authorization');
  if (header === null) return undefined;
  return /^Bearer +([\x21-\x7e]{1,500})$/i.exec(header.trim())?.[1] ?? null;
}

/** Whose token it is: of a sign-in, or a personal one. A cookie holds only the former. */
async function resolve(visitor: Ctx, token: string | null, isBearer: boolean) {
  const { findBySession, findByApiToken } = currentApp();
  const session = await findBySession(visitor, token);
  return session ?? (isBearer ? findByApiToken(visitor, token) : null);
}

function countedAs({ actor, client }: Ctx): string {
  if (actor.kind !== 'user') return `client:${client.address}`;
  return actor.apiToken ? `token:${actor.apiToken.id}` : `session:${actor.sessionId}`;
}

/**
 * Finds out who calls: by bearer token, else by the session cookie.
 * @param mustBeKnown a token that opens nothing is refused; else its bearer counts as a visitor
 * @throws AppError UNAUTHENTICATED for a token that opens nothing, RATE_LIMITED for too many of them, SUSPENDED
 */
async function findCaller(
  request: Request,
  context: AppLoadContext,
  mustBeKnown: boolean,
): Promise<ApiCaller> {
  const visitor = visitorContext(request, context);
  const bearer = bearerOf(request);
  const token = bearer === undefined ? await readSessionToken(request) : bearer;
  const resolved = await resolve(visitor, token, bearer !== undefined).catch((error: unknown) => {
    if (mustBeKnown) throw error;
    return null;
  });
  if (resolved === null && bearer !== undefined && mustBeKnown) {
    await visitor.throttle.take({ rule: THROTTLE_RULES.api, who: countedAs(visitor) });
    throw new AppError(
      'UNAUTHENTICATED',
      'This token is not valid, or it has expired. Please sign in again.',
    );
  }
  const ctx = resolved === null ? visitor : contextAs(visitor, resolved.actor);
  return { ctx, token: resolved === null ? null : (bearer ?? null), countedAs: countedAs(ctx) };
}

export type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;

interface Sent {
  params: unknown;
  query: unknown;
  /** As it came; `run` checks it. */
  body: Record<string, unknown>;
  file: File | null;
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

type Operations = Readonly<Partial<Record<string, Operation>>>;

/**
 * What a PUT changes, as the GET of its address gives it at the moment; nothing where that is no single thing.
 * @throws AppError NOT_FOUND and what else the GET throws
 */
async function resourceOf(
  { PUT: put, GET: get }: Operations,
  { ctx, token }: ApiCaller,
  { params }: Sent,
): Promise<Record<string, unknown>> {
  if (put === undefined || get === undefined || get.isList) return {};
  const input = { params, query: {}, body: {}, file: null, token } as Parameters<Operation['run']>[1];
  const result = await get.run(ctx, input);
  const data = get.response.parse(result instanceof Reply ? result.data : result) as Record<string, unknown>;
  const [name = ''] = Object.keys(put.response.shape);
  const resource = data[name];
  return typeof resource === 'object' && resource !== null && !Array.isArray(resource)
    ? (JSON.parse(JSON.stringify(resource)) as Record<string, unknown>)
    : {};
}

/** The address of what a call made: its template with parts of the call's own address and of the answer. */
function locationOf(template: string, params: unknown, data: unknown): string {
  return template.replace(/\{([\w.]+)\}/g, (_, path: string) => {
    const valueIn = (from: unknown) =>
      path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], from);
    return encodeURIComponent(String(valueIn(path.includes('.') ? data : params)));
  });
}

/** The envelope of what a call gave: exactly the fields that the document names. */
function envelopeOf(operation: Operation, { params }: Sent, result: unknown): Envelope {
  const { data, extra } = result instanceof Reply ? result : new Reply(result, {});
  const given = operation.response.parse(data);
  const isCreated = operation.creates !== undefined && extra.madeNothing !== true;
  const envelope = success(isCreated ? 201 : 200, given, extra.message);
  const made: Record<string, string> = {};
  if (isCreated) made['Location'] = locationOf(operation.creates ?? '', params, given);
  return { ...envelope, headers: { ...made, ...extra.headers } };
}

async function run(operations: Operations, operation: Operation, caller: ApiCaller, sent: Sent) {
  let { body } = sent;
  if (operation.method !== 'GET' && !operation.upload) {
    const resource = operation.method === 'PUT' ? await resourceOf(operations, caller, sent) : {};
    body = changesIn(body, resource);
    checkBody(operation, body, resource);
  }
  const input = { ...sent, body, token: caller.token } as Parameters<Operation['run']>[1];
  const result = await operation.run(caller.ctx, input);
  return result instanceof FileReply ? result : envelopeOf(operation, sent, result);
}

/** What a program is told of the limit on its calls, in the fields of draft-ietf-httpapi-ratelimit-headers. */
const limitHeaders = ({ limit, windowSeconds, remaining, resetSeconds }: Quota): Record<string, string> => ({
  'RateLimit-Policy': `"${THROTTLE_RULES.api.name}";q=${limit};w=${windowSeconds}`,
  RateLimit: `"${THROTTLE_RULES.api.name}";r=${remaining};t=${resetSeconds}`,
});

/** @param headers gets what goes along with the answer, whatever it is */
async function answer(
  args: RouteArgs,
  operations: Operations,
  operation: Operation,
  headers: Record<string, string>,
): Promise<Envelope | FileReply> {
  const { request, context } = args;
  const caller = await findCaller(request, context, operation.access !== 'public');
  const { quota, refusal } = await caller.ctx.throttle.count({
    rule: THROTTLE_RULES.api,
    who: caller.countedAs,
  });
  Object.assign(headers, limitHeaders(quota));
  if (refusal !== null) throw refusal;
  authoriseCall(caller.ctx.actor, operation);
  const sent = await readInput(args, operation);
  return onlyOnce(request, caller.ctx, operation, sent, () => run(operations, operation, caller, sent));
}

const withHeaders = (envelope: Envelope, headers: Readonly<Record<string, string>>): Envelope => ({
  ...envelope,
  headers: { ...envelope.headers, ...headers },
});

/** Serves one call from request to answer. Nothing that was sent makes it throw. */
export async function serve(args: RouteArgs, operations: Operations): Promise<Response> {
  const { request, context } = args;
  const operation = operations[request.method === 'HEAD' ? 'GET' : request.method];
  if (operation === undefined) {
    const allowed = Object.keys(operations).flatMap((method) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    return respond(request, methodNotAllowed(allowed, context.requestId));
  }
  const headers: Record<string, string> = {};
  try {
    const answered = await answer(args, operations, operation, headers);
    if (answered instanceof FileReply) return await respondWithFile(args, answered, headers);
    return await respond(request, withHeaders(answered, headers), operation.isList);
  } catch (error) {
    return respond(request, withHeaders(failure(error, context.requestId), headers));
  }
}
