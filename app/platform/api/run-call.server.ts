import { AppError } from '#app/domain/errors.ts';
import { authoriseCall } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { success, type Envelope } from './answer.server.ts';
import { changesIn, checkBody, checkParams, checkQuery } from './input.server.ts';
import { beginningWith, requireMatch, type Precondition } from './if-match.server.ts';
import { FileReply, hasCursor, readerOf, Reply, segmentsOf, type Operation } from './operation.ts';

/** The input of a call. */
export interface Sent {
  params: unknown;
  query: unknown;
  /** As sent; {@link runCall} checks it. */
  body: Record<string, unknown>;
  file: File | null;
}

/** What a change expects of its record. */
interface Expectation {
  precondition: Precondition;
  /** The GET that returns the record; undefined if the call reads it itself. */
  reader: Operation | undefined;
}

/** The calls of one address by method. */
export type Operations = Readonly<Partial<Record<string, Operation>>>;

/** The caller. */
interface Runner {
  ctx: Ctx;
  /** The bearer token; null for a cookie, for visitors and for doors other than the API. */
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

/** A value as in JSON: instants are texts. */
const asJson = (thing: unknown): Thing =>
  isThing(thing) ? (JSON.parse(JSON.stringify(thing)) as Thing) : {};

/**
 * The resource a PUT changes, as the GET of its address returns it; empty if that is not a single resource.
 * @throws AppError NOT_FOUND, and other errors of the GET
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

/** The address of a created resource, filled in from the call's parameters and the response. */
function locationOf(template: string, params: unknown, data: unknown): string {
  return template.replace(/\{([\w.]+)\}/g, (_, path: string) => {
    const valueIn = (from: unknown) =>
      path.split('.').reduce<unknown>((part, name) => (part as Thing | null)?.[name], from);
    return encodeURIComponent(String(valueIn(path.includes('.') ? data : params)));
  });
}

/** The envelope of a call's result, with exactly the fields in the document. */
function envelopeOf(operation: Operation, { params }: Sent, result: unknown): Envelope {
  const { data, extra } = result instanceof Reply ? result : new Reply(result, {});
  const response = operation.response.parse(data);
  const isCreated = operation.creates !== undefined && extra.madeNothing !== true;
  const envelope = success(isCreated ? 201 : 200, response, extra.message);
  const made: Record<string, string> = {};
  if (isCreated) made['Location'] = locationOf(operation.creates ?? '', params, response);
  const next = hasCursor(operation) ? response['next'] : null;
  const more = typeof next === 'string' ? { next } : {};
  return { ...envelope, ...more, headers: { ...made, ...extra.headers } };
}

/** The checked body of a call, without unchanged fields. @throws AppError INVALID_INPUT, NOT_FOUND */
async function changedBody(operations: Operations, operation: Operation, runner: Runner, sent: Sent) {
  const resource = operation.method === 'PUT' ? await resourceOf(operations, runner, sent) : {};
  const body = changesIn(sent.body, resource, operation.quantity);
  checkBody(operation, body, resource);
  return body;
}

/** @throws AppError PRECONDITION_FAILED when the record is not as expected, and errors of reading it */
async function requireExpected(
  { current }: Operation,
  { precondition, reader }: Expectation,
  runner: Runner,
  { params, body }: Sent,
): Promise<void> {
  if (current !== null) {
    const record = await current.read(runner.ctx, { params, body });
    return requireMatch(precondition, success(200, current.shape.parse(record)));
  }
  if (reader === undefined) throw new Error('a change must say what it changes');
  authoriseCall(runner.ctx.actor, reader);
  const asked = {
    params: reader.params.parse(params),
    query: reader.query.parse({}),
    body: {},
    file: null,
  };
  const read = await reader.run(runner.ctx, { ...asked, token: runner.token } as Parameters<
    Operation['run']
  >[1]);
  requireMatch(precondition, envelopeOf(reader, asked, read));
}

/**
 * Runs a change only if its record is as expected. The comparison is part of the change's transaction, so nobody changes the
 * record in between.
 * @throws AppError PRECONDITION_FAILED, and as {@link runCall}
 */
export async function runExpected(
  operations: Operations,
  operation: Operation,
  runner: Runner,
  sent: Sent,
  expectation: Expectation,
): Promise<Envelope | FileReply> {
  const { ctx } = runner;
  const check = () => requireExpected(operation, expectation, runner, sent);
  if (operation.looksOutside) {
    const checked = { ...ctx, transaction: beginningWith(check, ctx.transaction) };
    return runCall(operations, operation, { ...runner, ctx: checked }, sent);
  }
  return ctx.transaction(async () => {
    await check();
    return runCall(operations, operation, runner, sent);
  });
}

/**
 * Runs a call of the API after its caller was authorised.
 * @param operations all calls of its address
 * @throws AppError INVALID_INPUT for an invalid body, and errors of the operation
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

/** The input of a call from a door without addresses, as JSON. */
export interface CallValues {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** A query as in an address: a list repeats its name, null is left out. */
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
 * Runs a call from a door other than the API, with the same permissions and checks.
 * @param all every call
 * @throws AppError with the API's errors
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

/** What a call would change. */
export interface CheckedCall {
  /** The resource in its current state; null if unknown. */
  subject: Thing | null;
  /** The part of the resource that the address names: one of its pauses or pictures. Null if it names none. */
  part: CallPart | null;
}

/** A part of a resource, named by a parameter after the resource's own. */
interface CallPart {
  /** The list it belongs to: `pauses`. */
  list: string;
  /** The parameter's value. */
  name: string;
  /** Its place in the list, from 0; -1 if the list has no such part. */
  place: number;
  /** How many parts the list has. */
  total: number;
  value: Thing | null;
}

/** The part in `subject` that a call's address names beyond that of the subject. */
function partOf(
  operation: Operation,
  get: Operation,
  params: unknown,
  subject: Thing | null,
): CallPart | null {
  const above = segmentsOf(get.path).length;
  const [list = '', parameter = ''] = segmentsOf(operation.path).slice(above);
  if (!parameter.startsWith('{')) return null;
  const name = String((params as Thing)[parameter.slice(1, -1)]);
  const parts = Array.isArray(subject?.[list]) ? (subject[list] as unknown[]).filter(isThing) : [];
  // Its id, or the day it begins on.
  const place = parts.findIndex((part) => part['id'] === name || part['firstDay'] === name);
  return { list, name, place, total: parts.length, value: parts[place] ?? null };
}

/**
 * Checks a write without running it: the permission, the values by their schemas, and that the resource exists.
 * @throws AppError with the API's errors
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
  const check = (resource: Thing | null) =>
    operation.checkValues?.(body, { ctx, params: sent.params as Thing, resource });
  const get = readerOf(all, operation.path);
  if (get === undefined) {
    check(null);
    return { subject: null, part: null };
  }
  authoriseCall(ctx.actor, get);
  const data = await dataOf(get, runner, get.params.parse(sent.params));
  const things = Object.entries(data).filter(([, value]) => isThing(value));
  const [name = ''] = Object.keys(operation.response.shape);
  const thing = things.find(([key]) => key === name) ?? things[0];
  const subject = thing === undefined ? null : asJson(thing[1]);
  check(subject);
  return { subject, part: partOf(operation, get, sent.params, subject) };
}
