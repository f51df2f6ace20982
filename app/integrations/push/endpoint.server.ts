import { isIP } from 'node:net';
import { guardedLookup, isForbiddenLiteral, isPublicAddress } from '../public-address.server.ts';

/** Longest address of a subscription; those of the large services have a few hundred characters. */
const LONGEST = 2048;

/** Which endpoints a push may go to. Whoever subscribes chooses the address, so it must not lead into our own network. */
export interface EndpointRule {
  protocols: readonly string[];
  isAllowed(address: string): boolean;
}

/** Https to the public internet, and nothing else (ASVS 1.3.6). */
export const PUBLIC_HTTPS: EndpointRule = { protocols: ['https:'], isAllowed: isPublicAddress };

/** An endpoint that no push goes to, now or later. */
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
    throw new EndpointRefused('This is no address of a push service.');
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
  const { hostname } = endpointUrl(endpoint, rule);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return;
  const lookup = guardedLookup(rule.isAllowed);
  await new Promise<void>((resolve, reject) => {
    lookup(hostname, { all: true }, (error) =>
      error === null
        ? resolve()
        : reject(new EndpointRefused('This name leads nowhere on the public internet.')),
    );
  });
}
