import type { RouteArgs } from '#app/platform/http/guard.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';
import { openApiDocument } from './openapi/document.ts';
import type { OpenApiDocument } from './openapi/model.ts';
import { inVersion30 } from './openapi/version-3-0.ts';
import { readerOf, segmentsOf, type Operation } from './operation.ts';
import { AppError } from '#app/domain/errors.ts';
import { failure, otherMethod, respond } from './answer.server.ts';
import { serve, type Address as Calls } from './call.server.ts';
import { forPrograms } from './cross-origin.server.ts';

/** The versions of OpenAPI that the document is written in. */
type Version = '3.0' | '3.1';

let made: { appUrl: string; document: OpenApiDocument; texts: Map<Version, string> } | undefined;

function madeDocument(operations: readonly Operation[]) {
  const { APP_URL } = currentApp().settings;
  if (made?.appUrl !== APP_URL)
    made = { appUrl: APP_URL, document: openApiDocument(operations, APP_URL), texts: new Map() };
  return made;
}

/** The document of this server's API; constant while the process runs. */
export const currentDocument = (operations: readonly Operation[]): OpenApiDocument =>
  madeDocument(operations).document;

function documentText(operations: readonly Operation[], version: Version): string {
  const { document, texts } = madeDocument(operations);
  const text =
    texts.get(version) ?? JSON.stringify(version === '3.0' ? inVersion30(document) : document, null, 1);
  texts.set(version, text);
  return text;
}

/** All calls of one address; `/api/calculations/{id}` is `['calculations', '{id}']`. */
interface Address extends Calls {
  segments: readonly string[];
  operations: Partial<Record<string, Operation>>;
}

/** The parts of an address after `/api`. */
const partsOf = (path: string): string[] => segmentsOf(path).slice(1);
const isParameter = (segment: string): boolean => segment.startsWith('{');

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The addresses of all operations, fixed segments first, so that `/suggestions` is not read as an id. */
function addressesOf(operations: readonly Operation[]): Address[] {
  const byPath = new Map<string, Address>();
  for (const operation of operations) {
    const address = byPath.get(operation.path) ?? {
      segments: partsOf(operation.path),
      operations: {},
      reader: readerOf(operations, operation.path),
    };
    address.operations[operation.method] = operation;
    byPath.set(operation.path, address);
  }
  const order = ({ segments }: Address) =>
    segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');
  return [...byPath.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** The parameters of an address in a path; null if the path does not match. */
function paramsIn({ segments }: Address, path: readonly string[]): Record<string, string> | null {
  if (path.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const sent = path[index] ?? '';
    if (isParameter(segment)) params[segment.slice(1, -1)] = decoded(sent);
    else if (sent.toLowerCase() !== segment) return null;
  }
  return params;
}

/** The envelope of a request that is refused before it is a call. */
const refusal = (error: AppError, { request, context }: RouteArgs): Promise<Response> =>
  respond(request, failure(error, context.requestId));

/**
 * The only route of the JSON API: finds the operation by path and method and serves it.
 * An unknown address is 404, an unknown method of a known address 405.
 */
export function apiHandler(operations: readonly Operation[]): (args: RouteArgs) => Promise<Response> {
  const addresses = addressesOf(operations);
  return forPrograms((args) => {
    const path = partsOf(new URL(args.request.url).pathname);
    for (const address of addresses) {
      const params = paramsIn(address, path);
      if (params !== null) return serve({ ...args, params }, address);
    }
    const error = new AppError(
      'NOT_FOUND',
      'This call does not exist. All calls: /api/docs, /api/openapi.json',
    );
    return refusal(error, args);
  }, refusal);
}

/** The document of the API at an address of its own. */
export const documentHandler = (operations: readonly Operation[], version: Version) =>
  forPrograms(({ request, context }) => {
    if (!['GET', 'HEAD'].includes(request.method))
      return otherMethod(request, ['GET', 'HEAD'], context.requestId);
    const body = documentText(operations, version);
    return respond(request, { status: 200, body, headers: { 'Cache-Control': 'no-cache' } }, 'weak');
  }, refusal);
