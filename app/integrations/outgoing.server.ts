import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import {
  guardedLookup,
  endpointUrl,
  type EndpointRule,
  PrivateAddressError,
  EndpointRefused,
  mayBeEndpoint,
  PUBLIC_HTTPS,
} from './public-address.server.ts';

/** A message on its way. */
interface PostRequest {
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
type Post = (message: PostRequest) => Promise<PostAnswer>;

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

/** How a message to somebody's own address went. A receiver that was not reached has no status. */
export type PostOutcome =
  | { isTaken: true; status: number }
  | { isTaken: false; status: number | null; afterMs: number | null; reason: string };

/** Sends messages to addresses that users name: their webhooks and their ntfy topics. */
export interface OutgoingPosts {
  /** Whether messages may go to an address at all; a name is looked at again for every message. */
  accepts(address: string): Promise<boolean>;
  /** Never rejects. Redirects are not followed. */
  post(message: PostRequest): Promise<PostOutcome>;
}

interface OutgoingOptions {
  /** Where messages may go; https on the public internet unless a test says otherwise. */
  rule?: EndpointRule;
  /** For the whole exchange. */
  timeoutMs?: number;
}

function outcomeOf({ status, retryAfter }: PostAnswer): PostOutcome {
  if (status >= 200 && status < 300) return { isTaken: true, status };
  const isRedirect = status >= 300 && status < 400;
  const reason = `the address answered ${status}${isRedirect ? ', and redirects are not followed' : ''}`;
  return { isTaken: false, status, afterMs: retryAfterMs(retryAfter), reason };
}

/** What became of a connection, by the code of the network's error. */
const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'nobody knows the name of this address',
  EAI_AGAIN: 'the name of the address could not be looked up',
  ECONNREFUSED: 'nothing answers at this address',
  ECONNRESET: 'the connection was broken off',
  CERT_HAS_EXPIRED: 'the certificate of the address has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the address is its own',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
};

/** In words of our own: a message of the network may name the address, which can hold a secret. */
function reasonOf(error: unknown): string {
  if (error instanceof EndpointRefused || error instanceof PrivateAddressError)
    return 'the address is not on the public internet';
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return 'the address took too long to answer';
  return NETWORK_REASONS[code ?? ''] ?? `the address was not reached (${code ?? name})`;
}

/**
 * Posts to https on the public internet, and nowhere else: the name is looked up for each connection, which then goes to
 * what was checked (ASVS 1.3.6).
 */
export function createOutgoingPosts({
  rule = PUBLIC_HTTPS,
  timeoutMs = 10_000,
}: OutgoingOptions = {}): OutgoingPosts {
  const post = createPost(rule, timeoutMs);
  return {
    accepts: (address) => mayBeEndpoint(address, rule),

    async post(message) {
      try {
        return outcomeOf(await post(message));
      } catch (error) {
        return { isTaken: false, status: null, afterMs: null, reason: reasonOf(error) };
      }
    },
  };
}
