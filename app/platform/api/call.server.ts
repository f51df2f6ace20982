import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { authoriseCall } from '#app/platform/access/api-access.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import {
  failure,
  methodNotAllowed,
  respond,
  respondWithFile,
  success,
  type Envelope,
} from './answer.server.ts';
import { readJsonBody, readUpload } from './body.server.ts';
import { findCaller, type ApiCaller } from './caller.server.ts';
import { checkBody, checkParams, checkQuery } from './input.server.ts';
import { FileReply, Reply, type Operation } from './operation.ts';
import { onlyOnce } from './idempotency.server.ts';

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
