import { createPost, retryAfterMs, type PostAnswer, type PostRequest } from './guarded-post.server.ts';
import { PrivateAddressError } from './public-address.server.ts';
import { EndpointRefused, mayBeEndpoint, PUBLIC_HTTPS, type EndpointRule } from './public-endpoint.server.ts';

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
