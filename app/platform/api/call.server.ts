import type { AppLoadContext, ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { AppError } from '#app/domain/errors.ts';
import { contextAs, type Ctx } from '#app/platform/access/context.server.ts';
import { currentApp, readSessionToken, visitorContext } from '#app/platform/http/session.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
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
import { checkBody, checkParams, checkQuery } from './input.server.ts';
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

interface Checked {
  params: unknown;
  query: unknown;
  body: Record<string, unknown>;
  file: File | null;
}

async function checkInput({ request, params }: RouteArgs, operation: Operation): Promise<Checked> {
  const inPath = checkParams(operation, params);
  const query = checkQuery(operation, new URL(request.url).searchParams);
  if (operation.method === 'GET') return { params: inPath, query, body: {}, file: null };
  if (operation.upload) {
    const file = await readUpload(request, operation.upload);
    return { params: inPath, query, body: {}, file };
  }
  const body = await readJsonBody(request);
  checkBody(operation, body);
  return { params: inPath, query, body, file: null };
}

/** The envelope of what a call gave: exactly the fields that the document names. */
function envelopeOf(operation: Operation, result: unknown): Envelope {
  const { data, extra } = result instanceof Reply ? result : new Reply(result, {});
  const envelope = success(operation.status, operation.response.parse(data), extra.message);
  return { ...envelope, headers: { ...extra.headers } };
}

async function run(operation: Operation, { ctx, token }: ApiCaller, checked: Checked) {
  const input = { ...checked, token } as Parameters<Operation['run']>[1];
  const result = await operation.run(ctx, input);
  return result instanceof FileReply ? result : envelopeOf(operation, result);
}

async function answer(args: RouteArgs, operation: Operation): Promise<Envelope | FileReply> {
  const { request, context } = args;
  const caller = await findCaller(request, context, operation.access !== 'public');
  await caller.ctx.throttle.take({ rule: THROTTLE_RULES.api, who: caller.countedAs });
  authoriseCall(caller.ctx.actor, operation);
  const checked = await checkInput(args, operation);
  return onlyOnce(request, caller.ctx, operation, checked, () => run(operation, caller, checked));
}

/** Serves one call from request to answer. Nothing that was sent makes it throw. */
export async function serve(
  args: RouteArgs,
  operations: Readonly<Partial<Record<string, Operation>>>,
): Promise<Response> {
  const { request, context } = args;
  const operation = operations[request.method === 'HEAD' ? 'GET' : request.method];
  if (operation === undefined) {
    const allowed = Object.keys(operations).flatMap((method) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    return respond(request, methodNotAllowed(allowed, context.requestId));
  }
  try {
    const answered = await answer(args, operation);
    if (answered instanceof FileReply) return respondWithFile(request, answered);
    return await respond(request, answered, operation.isList);
  } catch (error) {
    return respond(request, failure(error, context.requestId));
  }
}
