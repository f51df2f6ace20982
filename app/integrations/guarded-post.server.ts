import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { guardedLookup } from './public-address.server.ts';
import { endpointUrl, type EndpointRule } from './public-endpoint.server.ts';

/** A message on its way. */
export interface PostRequest {
  endpoint: string;
  headers: Record<string, string | number>;
  body: Buffer | string;
}

/** What the receiver answered; its words are not kept. */
export interface PostAnswer {
  status: number;
  retryAfter: string | null;
}

/** Posts a message. Redirects are not followed. */
export type Post = (message: PostRequest) => Promise<PostAnswer>;

/** More of an answer is not read: what it says is not kept, and one without an end costs nothing. */
const MOST_BYTES = 64 * 1024;

function answered(response: IncomingMessage): PostAnswer {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) response.destroy();
  });
  // Cut off after its head, it is answered all the same.
  response.on('error', () => undefined);
  const { 'retry-after': retryAfter = null } = response.headers;
  return { status: response.statusCode ?? 0, retryAfter };
}

/** `Retry-After` in ms: seconds, or a date. */
export function retryAfterMs(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{1,7}$/.test(text.trim())) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

/** Posts to endpoints that the rule allows, on connections that are kept for the next message. */
export function createPost(rule: EndpointRule, timeoutMs: number): Post {
  const keep = { keepAlive: true, maxSockets: 32, scheduling: 'lifo' } as const;
  const agents = { 'https:': new HttpsAgent(keep), 'http:': new HttpAgent(keep) };
  const lookup = guardedLookup(rule.isAllowed, rule.resolve);
  return ({ endpoint, headers, body }) => {
    const url = endpointUrl(endpoint, rule);
    const isPlain = url.protocol === 'http:';
    const options: RequestOptions = {
      method: 'POST',
      headers,
      lookup,
      agent: isPlain ? agents['http:'] : agents['https:'],
      // For the whole exchange: a service that answers a word at a time holds nobody up.
      signal: AbortSignal.timeout(timeoutMs),
    };
    return new Promise<PostAnswer>((resolve, reject) => {
      const outgoing = (isPlain ? httpRequest : httpsRequest)(url, options, (response) =>
        resolve(answered(response)),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  };
}
