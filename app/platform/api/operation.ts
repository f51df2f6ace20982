import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { ConflictCode, ErrorCode } from '#app/domain/errors.ts';
import type { CallAccess, CallRule, CallScope } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** What a call was sent, checked. */
export interface CallInput<Params, Query, Body> {
  params: Params;
  query: Query;
  /** As it was sent, after it passed the schema: the service behind the call parses it. */
  body: Body;
  /** The bearer token that the call came with; null for a cookie and for visitors. */
  token: string | null;
  /** The file of a call that takes one. */
  file: File | null;
}

/** An answer that needs more than its data. */
export class Reply<Data> {
  readonly data: Data;
  /** `message` is for the person; headers go beside the envelope; `madeNothing` turns the 201 of a call that creates into 200. */
  readonly extra: { message?: string | undefined; headers?: Record<string, string>; madeNothing?: boolean };

  constructor(data: Data, extra: Reply<Data>['extra']) {
    this.data = data;
    this.extra = extra;
  }
}

/** An answer that is a file, opened only when somebody reads it. */
export class FileReply {
  readonly contentType: string;
  readonly fileName: string;
  readonly open: () => Readable | Promise<Readable>;

  constructor(contentType: string, fileName: string, open: () => Readable | Promise<Readable>) {
    this.contentType = contentType;
    this.fileName = fileName;
    this.open = open;
  }
}

/** Takes one file as `multipart/form-data` in place of a JSON body. */
export interface Upload {
  field: string;
  description: string;
  /** Media types under which the file may be the body itself. */
  asBody?: readonly string[];
  /** An example of such a body, by media type. */
  bodyExamples?: Readonly<Record<string, unknown>>;
}

interface About {
  /** Names the call in the document: `listCalculations`. */
  id: string;
  method: Method;
  /** As in the document: `/api/calculations/{id}`. */
  path: `/api/${string}`;
  /** The heading it stands under. */
  tag: string;
  summary: string;
  description: string;
  access: CallAccess;
  /** By default `read` for GET, else `write`. */
  scope?: CallScope;
  sessionOnly?: boolean;
  /**
   * A POST that makes something: 201, with the address of what was made. `{name}` stands for a part of the call's own
   * address, `{thing.id}` for a field of the answer.
   */
  creates?: `/api/${string}`;
  /** A call that creates also answers 200 when it was asked to make nothing. */
  mayCreateNothing?: boolean;
  /** Answers with an `ETag`. */
  isList?: boolean;
  /** Its answer opens something, so it is not kept for a repeated `Idempotency-Key`. */
  holdsSecret?: boolean;
  /** Codes beyond those that every such call can answer. */
  errors?: readonly (ConflictCode | ErrorCode)[];
  upload?: Upload;
  /** Media types of an answer that is a file. */
  files?: readonly string[];
  /** Why programs that speak MCP are not offered it, beside what `isTool` says of all. */
  noTool?: string;
}

type Empty = z.ZodObject<Record<never, never>>;

/** Everything about one call, said once: the route serves it and the document describes it. */
export interface Definition<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.core.$ZodType,
  R extends z.ZodObject,
> extends About {
  params?: P;
  query?: Q;
  body?: B;
  /** The body's schema only documents; `run` checks the values and words what is wrong. */
  bodyIsCheckedByRun?: boolean;
  /** What stands under `data`. Whatever it does not name is left out of the answer. */
  response?: R;
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

/** A call as routes and the document know it. */
export interface Operation extends Omit<About, 'scope' | 'sessionOnly'>, CallRule {
  status: 200 | 201;
  params: z.ZodObject;
  query: z.ZodObject;
  body: z.core.$ZodType | null;
  bodyIsCheckedByRun: boolean;
  response: z.ZodObject;
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
    bodyIsCheckedByRun: definition.bodyIsCheckedByRun ?? false,
    response: response ?? nothing,
    run: definition.run as Operation['run'],
  };
}
