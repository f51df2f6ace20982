import type { ServerResponse } from 'node:http';
import {
  createReadableStreamFromReadable,
  createRequestHandler,
  writeReadableStreamToWritable,
  type AppLoadContext,
  type ServerBuild,
} from '@remix-run/node';
import type { Request as ExpressRequest, RequestHandler, Response as ExpressResponse } from 'express';
import { completeBodyOf } from '#app/platform/http/complete-response.server.ts';

/** The port in a `Host` header; null if there is none. */
function portOf(host: string | undefined): number | null {
  const port = Number.parseInt(host?.split(':')[1] ?? '', 10);
  return Number.isSafeInteger(port) ? port : null;
}

/** The address as the client used it, with the host name from the proxy if there is one. */
function addressOf(request: ExpressRequest): string {
  const port = portOf(request.get('x-forwarded-host')) ?? portOf(request.get('host'));
  return `${request.protocol}://${request.hostname}${port ? `:${port}` : ''}${request.originalUrl}`;
}

function headersOf(request: ExpressRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (!value) continue;
    if (typeof value === 'string') headers.set(name, value);
    else for (const each of value) headers.append(name, each);
  }
  return headers;
}

/** Aborted when the client disconnects before its response is finished. */
function signalFor(response: ServerResponse): AbortSignal {
  let controller: AbortController | null = new AbortController();
  const { signal } = controller;
  response.once('finish', () => (controller = null));
  response.once('close', () => controller?.abort());
  return signal;
}

/** The request for a page's loader or action. */
function toWebRequest(request: ExpressRequest, response: ExpressResponse): Request {
  const { method } = request;
  const init: RequestInit = { method, headers: headersOf(request), signal: signalFor(response) };
  if (method !== 'GET' && method !== 'HEAD') {
    init.body = createReadableStreamFromReadable(request);
    init.duplex = 'half';
  }
  return new Request(addressOf(request), init);
}

function writeHead(response: ExpressResponse, { status, statusText, headers }: Response): void {
  response.statusMessage = statusText;
  response.status(status);
  for (const [name, value] of headers) {
    // Append where express would otherwise add a charset or replace a header that is already set: cookies, `Vary`.
    if (name === 'content-type' || response.hasHeader(name)) response.append(name, value);
    else response.setHeader(name, value);
  }
}

/** Sends a response: a complete body in one piece with its headers, a stream as it arrives. */
async function send(response: ExpressResponse, answer: Response): Promise<void> {
  writeHead(response, answer);
  const complete = completeBodyOf(answer);
  if (complete !== null) return void response.end(complete);
  const { body } = answer;
  if (body === null) return void response.end();
  if (/text\/event-stream/i.test(answer.headers.get('Content-Type') ?? '')) response.flushHeaders();
  return writeReadableStreamToWritable(body, response);
}

/**
 * Passes express's requests to a build's pages and their responses back, like `@remix-run/express`. Unlike it, sends complete
 * responses, as all pages are, without a stream.
 * @param loadContext what loaders and actions get in addition to the request
 */
export function remixHandler(
  build: ServerBuild,
  loadContext: (request: ExpressRequest, response: ExpressResponse) => AppLoadContext,
): RequestHandler {
  const handle = createRequestHandler(build, 'production');
  const answer = async (request: ExpressRequest, response: ExpressResponse) =>
    send(response, await handle(toWebRequest(request, response), loadContext(request, response)));
  return (request, response, next) => {
    answer(request, response).catch(next);
  };
}
