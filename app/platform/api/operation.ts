import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { ConflictCode, ErrorCode } from '#app/domain/errors.ts';
import type { CallAccess, CallRule, CallScope } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/**
 * The day of the API's last change that a client may notice, in the header `API-Version`. `docs/api-changes.md` lists them; a
 * test fails when the two differ.
 */
export const API_VERSION = '2026-11-29';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** The checked input of a call. */
export interface CallInput<Params, Query, Body> {
  params: Params;
  query: Query;
  /** As sent, after passing the schema; the operation parses it. */
  body: Body;
  /** The call's bearer token; null for a cookie and for visitors. */
  token: string | null;
  /** The file of a call that takes one. */
  file: File | null;
}

/** A response with more than data. */
export class Reply<Data> {
  readonly data: Data;
  /** `message` is for people; `madeNothing` turns a creating call's 201 into 200. */
  readonly extra: { message?: string | undefined; headers?: Record<string, string>; madeNothing?: boolean };

  constructor(data: Data, extra: Reply<Data>['extra']) {
    this.data = data;
    this.extra = extra;
  }
}

/** A response that is a file, opened only when it is read. */
export class FileReply {
  readonly contentType: string;
  readonly fileName: string;
  readonly open: () => Readable | Promise<Readable>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    contentType: string,
    fileName: string,
    open: () => Readable | Promise<Readable>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.contentType = contentType;
    this.fileName = fileName;
    this.open = open;
    this.headers = headers;
  }
}

/** Takes one file as `multipart/form-data` instead of a JSON body. */
export interface Upload {
  field: string;
  description: string;
  /** Media types with which the file may be the body itself. */
  asBody?: readonly string[];
  /** Example bodies, by media type. */
  bodyExamples?: Readonly<Record<string, unknown>>;
}

interface About {
  /** The operationId in the document: `listCalculations`. */
  id: string;
  method: Method;
  /** As in the document: `/api/calculations/{id}`. */
  path: `/api/${string}`;
  /** Its heading in the document. */
  tag: string;
  summary: string;
  description: string;
  /**
   * How a client confirms what the call asks about. Part of the document, but not of an MCP tool: there only the owner can
   * confirm.
   */
  confirmation?: string;
  access: CallAccess;
  /** By default `read` for GET, otherwise `write`. */
  scope?: CallScope;
  sessionOnly?: boolean;
  /**
   * For a POST that creates something: 201, with the address of the new resource. `{name}` is a parameter of the call's own
   * address, `{thing.id}` a field of the response.
   */
  creates?: `/api/${string}`;
  /** A creating call that may also answer 200, when it creates nothing. */
  mayCreateNothing?: boolean;
  /**
   * For a PUT: a number and its unit. Whoever changes one of them and sends the other, too, means both, so neither is left
   * out as unchanged.
   */
  quantity?: readonly [number: string, unit: string];
  /** A page of several records. */
  isList?: boolean;
  /** It asks another server before its only transaction, which must not be open meanwhile. */
  looksOutside?: boolean;
  /** Its response contains a secret, so it is not stored for a repeated `Idempotency-Key`. */
  holdsSecret?: boolean;
  /** Error codes beyond those that all such calls have. */
  errors?: readonly (ConflictCode | ErrorCode)[];
  upload?: Upload;
  /** It refuses an empty body, though no single field of it is required. */
  needsBody?: boolean;
  /** Media types of a file response. */
  files?: readonly string[];
  /** Further headers of its success. */
  headers?: readonly string[];
  /** Why it is not an MCP tool, if not already for the reasons in `isTool`. */
  noTool?: string;
}

/** What the values of a body depend on. */
export interface ValuesAbout {
  ctx: Ctx;
  params: Readonly<Record<string, unknown>>;
  /** What the call changes, as its GET returns it; null if unknown. */
  resource: Readonly<Record<string, unknown>> | null;
}

/** How a call reads the record that it changes, where no other call returns it. */
export interface Current<Params, Body> {
  /** The shape of `current` when the change is refused: that of the call's own answer, if it has one. */
  shape: z.ZodObject;
  /** @throws AppError NOT_FOUND, and for a body that does not name the record INVALID_INPUT */
  read(ctx: Ctx, sent: { params: Params; body: Body }): Promise<object>;
}

type Empty = z.ZodObject<Record<never, never>>;

/** The one declaration of a call: the route serves it and the document describes it. */
export interface Definition<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.core.$ZodType,
  R extends z.ZodObject,
> extends About {
  params?: P;
  query?: Q;
  body?: B;
  /**
   * For a body whose schema is only documentation: how `run` checks the values, so that a proposal can be checked without
   * running it. Throws as `run` does. `resource` is what a PUT changes, `params` come from the address.
   */
  checkValues?(body: Record<string, unknown>, about: ValuesAbout): void;
  /** The shape of `data`. Fields it does not name are left out of the response. */
  response?: R;
  /** For a change of what has no GET of its own: how it is read, for `If-Match`. */
  current?: Current<z.output<P>, z.input<B>>;
  example: {
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
    data?: unknown;
  };
  run(
    ctx: Ctx,
    input: CallInput<z.output<P>, z.output<Q>, z.input<B>>,
  ): Promise<z.input<R> | Reply<z.input<R>> | FileReply>;
}

/** A call, as the routes and the document use it. */
export interface Operation extends Omit<About, 'scope' | 'sessionOnly'>, CallRule {
  status: 200 | 201;
  params: z.ZodObject;
  query: z.ZodObject;
  body: z.core.$ZodType | null;
  checkValues: ((body: Record<string, unknown>, about: ValuesAbout) => void) | null;
  response: z.ZodObject;
  current: Current<unknown, unknown> | null;
  example: Definition<Empty, Empty, Empty, Empty>['example'];
  run(ctx: Ctx, input: CallInput<never, never, never>): Promise<unknown>;
}

const nothing = z.object({});

/** Declares a call of the API. */
export function operation<
  P extends z.ZodObject = Empty,
  Q extends z.ZodObject = Empty,
  B extends z.core.$ZodType = Empty,
  R extends z.ZodObject = Empty,
>(definition: Definition<P, Q, B, R>): Operation {
  const { params, query, body, response, creates } = definition;
  return {
    ...definition,
    scope: definition.scope ?? (definition.method === 'GET' ? 'read' : 'write'),
    sessionOnly: definition.sessionOnly ?? false,
    status: creates === undefined ? 200 : 201,
    params: params ?? nothing,
    query: query ?? nothing,
    body: body ?? null,
    checkValues: definition.checkValues?.bind(definition) ?? null,
    response: response ?? nothing,
    current: (definition.current as Operation['current']) ?? null,
    run: definition.run as Operation['run'],
  };
}

/** Whether a call is a list that goes on at a cursor. */
export const hasCursor = ({ query }: Operation): boolean => Object.hasOwn(query.shape, 'cursor');

/** Whether a call changes a record, so that it takes `If-Match`. */
export const takesIfMatch = ({ method, scope, access }: Operation): boolean =>
  (method === 'PUT' || method === 'PATCH' || method === 'DELETE') && scope === 'write' && access !== 'public';

/** Whether a call answers with an `ETag`: every read, except files, which are written as they are sent, and secrets. */
export const hasTag = ({ method, files, holdsSecret }: Operation): boolean =>
  method === 'GET' && files === undefined && holdsSecret !== true;

/** The strength of that tag; null without one. Changes of a record take its tag, so it is strong. */
export const tagStrengthOf = (operation: Operation): 'strong' | 'weak' | null => {
  if (!hasTag(operation)) return null;
  return operation.isList === true ? 'weak' : 'strong';
};

/**
 * The call of an address, or of the nearest address above it, that returns what the address is about.
 * @param path as in a declaration: `/api/orders/{id}/papers/{paperId}` is about `/api/orders/{id}`
 */
export function readerOf(all: readonly Operation[], path: string): Operation | undefined {
  const segments = segmentsOf(path);
  const isAbove = (other: string) => {
    const above = segmentsOf(other);
    const named = above.some((segment) => segment.startsWith('{')) || above.length === segments.length;
    return named && above.every((segment, index) => segment === segments[index]);
  };
  const isReader = ({ method, isList, files, path: other, query }: Operation) =>
    method === 'GET' && !isList && !files && isAbove(other) && query.safeParse({}).success;
  return all.filter(isReader).toSorted((a, b) => b.path.length - a.path.length)[0];
}

/** The parts of a path between its slashes. */
export const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');
