import { AppError } from '#app/domain/errors.ts';
import { authoriseCall } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { success, type Envelope } from './answer.server.ts';
import { changesIn, checkBody, checkParams, checkQuery } from './input.server.ts';
import { FileReply, Reply, type Operation } from './operation.ts';

/** What a call was sent. */
export interface Sent {
  params: unknown;
  query: unknown;
  /** As it came; {@link runCall} checks it. */
  body: Record<string, unknown>;
  file: File | null;
}

/** The calls of one address by method. */
export type Operations = Readonly<Partial<Record<string, Operation>>>;

/** Who makes a call, as far as running it needs to know. */
interface Runner {
  ctx: Ctx;
  /** The bearer token; null for a cookie, for visitors and for what comes by another door than the API. */
  token: string | null;
}

type Thing = Record<string, unknown>;

const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function dataOf(get: Operation, { ctx, token }: Runner, params: unknown): Promise<Thing> {
  const query = get.query.parse({});
  const input = { params, query, body: {}, file: null, token } as Parameters<Operation['run']>[1];
  const result = await get.run(ctx, input);
  return get.response.parse(result instanceof Reply ? result.data : result) as Thing;
}

/** A thing as JSON has it: instants are texts. */
const asJson = (thing: unknown): Thing =>
  isThing(thing) ? (JSON.parse(JSON.stringify(thing)) as Thing) : {};

/**
 * What a PUT changes, as the GET of its address gives it at the moment; nothing where that is no single thing.
 * @throws AppError NOT_FOUND and what else the GET throws
 */
async function resourceOf(
  { PUT: put, GET: get }: Operations,
  runner: Runner,
  { params }: Sent,
): Promise<Thing> {
  if (put === undefined || get === undefined || get.isList) return {};
  const [name = ''] = Object.keys(put.response.shape);
  return asJson((await dataOf(get, runner, params))[name]);
}

/** The address of what a call made: its template with parts of the call's own address and of the answer. */
function locationOf(template: string, params: unknown, data: unknown): string {
  return template.replace(/\{([\w.]+)\}/g, (_, path: string) => {
    const valueIn = (from: unknown) =>
      path.split('.').reduce<unknown>((part, name) => (part as Thing | null)?.[name], from);
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

/** The body of a call without what is as it was, checked. @throws AppError INVALID_INPUT, NOT_FOUND */
async function changedBody(operations: Operations, operation: Operation, runner: Runner, sent: Sent) {
  const resource = operation.method === 'PUT' ? await resourceOf(operations, runner, sent) : {};
  const body = changesIn(sent.body, resource);
  checkBody(operation, body, resource);
  return body;
}

/**
 * Runs a call of the API whose caller may make it.
 * @param operations all calls of its address
 * @throws AppError INVALID_INPUT for a body that does not fit, and what the operation throws
 */
export async function runCall(
  operations: Operations,
  operation: Operation,
  runner: Runner,
  sent: Sent,
): Promise<Envelope | FileReply> {
  const hasBody = operation.method !== 'GET' && !operation.upload;
  const body = hasBody ? await changedBody(operations, operation, runner, sent) : sent.body;
  const input = { ...sent, body, token: runner.token } as Parameters<Operation['run']>[1];
  const result = await operation.run(runner.ctx, input);
  return result instanceof FileReply ? result : envelopeOf(operation, sent, result);
}

/** What a call is sent by a door that has no address line: all of it JSON. */
export interface CallValues {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** A query as it would stand in an address: a list is a name that repeats, null is none. */
function searchOf(query: Record<string, unknown>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const entry of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (entry === null || entry === undefined) continue;
      if (typeof entry === 'object')
        throw new AppError('INVALID_INPUT', `${name} must be a single value`, {
          fields: { [name]: ['Must be a single value'] },
        });
      search.append(name, String(entry as string | number | boolean));
    }
  }
  return search;
}

function sentOf(operation: Operation, { params, query, body }: CallValues): Sent {
  const texts = Object.entries(params).map(([name, value]) => [name, String(value)]);
  return {
    params: checkParams(operation, Object.fromEntries(texts) as Record<string, string>),
    query: checkQuery(operation, searchOf(query)),
    body,
    file: null,
  };
}

const atAddressOf = (all: readonly Operation[], { path }: Operation): Operations =>
  Object.fromEntries(all.filter((other) => other.path === path).map((other) => [other.method, other]));

/**
 * Runs a call that came by another door than the API's, with the same permission and the same checks.
 * @param all every call there is
 * @throws AppError as the API answers
 */
export async function runCallWith(
  all: readonly Operation[],
  operation: Operation,
  ctx: Ctx,
  values: CallValues,
): Promise<Envelope | FileReply> {
  authoriseCall(ctx.actor, operation);
  return runCall(atAddressOf(all, operation), operation, { ctx, token: null }, sentOf(operation, values));
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** The GET of what a call is about: of its own address, else of the nearest one above that names a thing. */
function readerOf(all: readonly Operation[], operation: Operation): Operation | undefined {
  const segments = segmentsOf(operation.path);
  const isAbove = (path: string) => {
    const above = segmentsOf(path);
    const named = above.some((segment) => segment.startsWith('{')) || above.length === segments.length;
    return named && above.every((segment, index) => segment === segments[index]);
  };
  const isReader = ({ method, isList, files, path, query }: Operation) =>
    method === 'GET' && !isList && !files && isAbove(path) && query.safeParse({}).success;
  return all.filter(isReader).toSorted((a, b) => b.path.length - a.path.length)[0];
}

/** What a call would be about and change. */
export interface CheckedCall {
  /** What it is about, as it is now; null where that cannot be told. */
  subject: Thing | null;
  /** The body without what is as it was. */
  body: Record<string, unknown>;
}

/**
 * Checks a write without running it: the permission, the values as far as their schemas say, and that what it is about
 * is there.
 * @throws AppError as the API answers
 */
export async function checkCallWith(
  all: readonly Operation[],
  operation: Operation,
  ctx: Ctx,
  values: CallValues,
): Promise<CheckedCall> {
  authoriseCall(ctx.actor, operation);
  const runner = { ctx, token: null };
  const sent = sentOf(operation, values);
  const body = await changedBody(atAddressOf(all, operation), operation, runner, sent);
  const get = readerOf(all, operation);
  if (get === undefined) return { subject: null, body };
  authoriseCall(ctx.actor, get);
  const data = await dataOf(get, runner, get.params.parse(sent.params));
  const things = Object.entries(data).filter(([, value]) => isThing(value));
  const [name = ''] = Object.keys(operation.response.shape);
  const thing = things.find(([key]) => key === name) ?? things[0];
  return { subject: thing === undefined ? null : asJson(thing[1]), body };
}
