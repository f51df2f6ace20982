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
  checkEndpoint,
  type EndpointCheck,
  PUBLIC_HTTPS,
} from './public-address.server.ts';

interface PostRequest {
  /** The account that chose the endpoint. */
  account: string;
  endpoint: string;
  headers: Record<string, string | number>;
  body: Buffer | string;
}

/** The receiver's answer, without its body. */
export interface PostAnswer {
  status: number;
  retryAfter: string | null;
}

/** Posts a message. Redirects are not followed. */
type Post = (message: PostRequest) => Promise<PostAnswer>;

/** The most of an answer that is read. The body is not kept, and an endless one must cost nothing. */
const MOST_BYTES = 64 * 1024;

function answered(response: IncomingMessage): PostAnswer {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) response.destroy();
  });
  // If the body is cut off, the status still counts.
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

/** Posts to endpoints that the rule allows, and keeps connections open for the next message. */
export function createPost(rule: EndpointRule, timeoutMs: number): Post {
  const keep = { keepAlive: true, maxSockets: 32, scheduling: 'lifo' } as const;
  const agents = { 'https:': new HttpsAgent(keep), 'http:': new HttpAgent(keep) };
  return ({ account, endpoint, headers, body }) => {
    const url = endpointUrl(endpoint, rule);
    const isPlain = url.protocol === 'http:';
    const options: RequestOptions = {
      method: 'POST',
      headers,
      lookup: guardedLookup(account, rule.isAllowed, rule.resolve),
      agent: isPlain ? agents['http:'] : agents['https:'],
      // For the whole exchange, so that a service that answers slowly delays nothing.
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

/** The result of a message to a user's own address. There is no status if the receiver was not reached. */
export type PostOutcome =
  | { isTaken: true; status: number }
  | { isTaken: false; status: number | null; afterMs: number | null; reason: string };

/** Sends messages to addresses that users choose: their webhooks and ntfy topics. */
export interface OutgoingPosts {
  /** Whether messages may be sent to an address at all. A host name is checked again for every message. */
  check(account: string, address: string): Promise<EndpointCheck>;
  /** Never rejects. Redirects are not followed. */
  post(message: PostRequest): Promise<PostOutcome>;
}

interface OutgoingOptions {
  /** Where messages may go; by default https on the public internet. */
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

/** Why a connection failed, by error code. */
const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name of this address does not exist',
  EAI_AGAIN: 'the host name of this address could not be resolved',
  ETIMEOUT: 'the name server of this address took too long to answer',
  ECONNREFUSED: 'nothing answers at this address',
  ECONNRESET: 'the connection was interrupted',
  CERT_HAS_EXPIRED: 'the certificate of the address has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the address is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for a different host name',
};

/** Our own text, because a network error may name the address, which can contain a secret. */
function reasonOf(error: unknown): string {
  if (error instanceof EndpointRefused || error instanceof PrivateAddressError)
    return 'the address is not on the public internet';
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return 'the address took too long to answer';
  return NETWORK_REASONS[code ?? ''] ?? `the address could not be reached (${code ?? name})`;
}

/**
 * Posts only to https on the public internet: the name is resolved for each connection, which then goes to the checked
 * address (ASVS 1.3.6).
 */
export function createOutgoingPosts({
  rule = PUBLIC_HTTPS,
  timeoutMs = 10_000,
}: OutgoingOptions = {}): OutgoingPosts {
  const post = createPost(rule, timeoutMs);
  return {
    check: (account, address) => checkEndpoint(account, address, rule),

    async post(message) {
      try {
        return outcomeOf(await post(message));
      } catch (error) {
        return { isTaken: false, status: null, afterMs: null, reason: reasonOf(error) };
      }
    },
  };
}
