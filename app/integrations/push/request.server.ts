import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { guardedLookup } from '../public-address.server.ts';
import { endpointUrl, type EndpointRule } from './endpoint.server.ts';

/** An encrypted message on its way. */
export interface PushRequest {
  endpoint: string;
  headers: Record<string, string | number>;
  body: Buffer;
}

/** What a push service answered; its words are not kept. */
export interface PushAnswer {
  status: number;
  retryAfter: string | null;
}

/** Posts a message. Redirects are not followed. */
export type Post = (message: PushRequest) => Promise<PushAnswer>;

function answered(response: IncomingMessage): PushAnswer {
  response.resume();
  const { 'retry-after': retryAfter = null } = response.headers;
  return { status: response.statusCode ?? 0, retryAfter };
}

/** Posts to endpoints that the rule allows, on connections that are kept for the next message. */
export function createPost(rule: EndpointRule, timeoutMs: number): Post {
  const keep = { keepAlive: true, maxSockets: 32, scheduling: 'lifo' } as const;
  const agents = { 'https:': new HttpsAgent(keep), 'http:': new HttpAgent(keep) };
  const lookup = guardedLookup(rule.isAllowed);
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
    return new Promise<PushAnswer>((resolve, reject) => {
      const outgoing = (isPlain ? httpRequest : httpsRequest)(url, options, (response) =>
        resolve(answered(response)),
      );
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  };
}
