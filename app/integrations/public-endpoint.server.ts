import { isIP } from 'node:net';
import {
  guardedLookup,
  isForbiddenLiteral,
  isPublicAddress,
  PrivateAddressError,
  type Resolve,
} from './public-address.server.ts';

/** Longest address; those of the large push services have a few hundred characters. */
const LONGEST = 2048;

/** Which addresses a message may go to. A user chooses the address, so it must not lead into our own network. */
export interface EndpointRule {
  protocols: readonly string[];
  isAllowed(address: string): boolean;
  /** Who is asked for the addresses of a name; the system's resolver unless a test says otherwise. */
  resolve?: Resolve;
}

/** Https to the public internet, and nothing else (ASVS 1.3.6). */
export const PUBLIC_HTTPS: EndpointRule = { protocols: ['https:'], isAllowed: isPublicAddress };

/** An address that nothing is sent to, now or later. */
export class EndpointRefused extends Error {
  override readonly name = 'EndpointRefused';
}

/**
 * The endpoint as an address to call. A name is looked at where the connection is made, by `guardedLookup`.
 * @throws EndpointRefused for another protocol, credentials, or a literal address that is not allowed
 */
export function endpointUrl(endpoint: string, rule: EndpointRule): URL {
  const url = endpoint.length <= LONGEST && URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !rule.protocols.includes(url.protocol))
    throw new EndpointRefused('This is no address that messages can be sent to.');
  if (url.username !== '' || url.password !== '')
    throw new EndpointRefused('An address with credentials is not used.');
  if (isForbiddenLiteral(url, rule.isAllowed))
    throw new EndpointRefused('This address is not on the public internet.');
  return url;
}

/**
 * Looks at an endpoint before it is kept.
 * @throws EndpointRefused; a name that cannot be resolved now is refused, too
 */
export async function checkEndpoint(endpoint: string, rule: EndpointRule): Promise<void> {
  if ((await lookUp(endpoint, rule)) !== null)
    throw new EndpointRefused('This name leads nowhere on the public internet.');
}

/** How long a look at an address waits for a name server, in ms. */
const LOOKUP_MS = 3_000;

/**
 * Whether messages may go to an address, as far as can be said now. A name that cannot be resolved at the moment may: it
 * is looked at again for every message.
 */
export async function mayBeEndpoint(endpoint: string, rule: EndpointRule): Promise<boolean> {
  try {
    const patience = new Promise<null>((resolve) => setTimeout(resolve, LOOKUP_MS, null).unref());
    return !((await Promise.race([lookUp(endpoint, rule), patience])) instanceof PrivateAddressError);
  } catch (error) {
    if (error instanceof EndpointRefused) return false;
    throw error;
  }
}

/** @returns why the name of an endpoint leads nowhere; null when it leads where it may @throws EndpointRefused */
async function lookUp(endpoint: string, rule: EndpointRule): Promise<Error | null> {
  const { hostname } = endpointUrl(endpoint, rule);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  const lookup = guardedLookup(rule.isAllowed, rule.resolve);
  return new Promise((resolve) => lookup(hostname, { all: true }, resolve));
}
