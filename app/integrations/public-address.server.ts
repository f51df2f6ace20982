import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses outside the public internet (IANA special-purpose address registries, RFC 6890). */
const NOT_PUBLIC = new BlockList();

const IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

const IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

for (const [net, prefix] of IPV4) NOT_PUBLIC.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of IPV6) NOT_PUBLIC.addSubnet(net, prefix, 'ipv6');

/** The only IPv6 range assigned to the public internet. */
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');

/** True for addresses on the public internet; false for private, loopback, link-local and reserved ones. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4');
  return family === 6 && GLOBAL_IPV6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

/** A host that must not be called because it has a non-public address. */
export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not on the public internet`);
    this.name = 'PrivateAddressError';
  }
}

/** Resolves a host name to its addresses. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a host for a socket and rejects it if any of its addresses is not allowed. The socket connects to the checked
 * address, so a name that resolves differently a moment later gains nothing.
 * @param isAllowed tests allow loopback
 * @param resolve called once per connection
 */
export function guardedLookup(
  isAllowed: (address: string) => boolean = isPublicAddress,
  resolve: Resolve = dnsLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new PrivateAddressError(hostname), '', 0);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

/** True if a URL's host is an IP address that is not allowed. Sockets don't look up such hosts. */
export function isForbiddenLiteral(url: URL, isAllowed: (address: string) => boolean): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isAllowed(host);
}

/** Longest address; the large push services use a few hundred characters. */
const LONGEST = 2048;

/** Which addresses messages may be sent to. Users choose the address, so it must not lead into our own network. */
export interface EndpointRule {
  protocols: readonly string[];
  isAllowed(address: string): boolean;
  /** Resolves host names; by default the system's resolver. */
  resolve?: Resolve;
}

/** Https to the public internet, and nothing else (ASVS 1.3.6). */
export const PUBLIC_HTTPS: EndpointRule = { protocols: ['https:'], isAllowed: isPublicAddress };

/** An address to which nothing is ever sent. */
export class EndpointRefused extends Error {
  override readonly name = 'EndpointRefused';
}

/**
 * Parses an endpoint. Host names are checked when the connection is made, by `guardedLookup`.
 * @throws EndpointRefused for another protocol, credentials, or a literal address that is not allowed
 */
export function endpointUrl(endpoint: string, rule: EndpointRule): URL {
  const url = endpoint.length <= LONGEST && URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !rule.protocols.includes(url.protocol))
    throw new EndpointRefused('Messages cannot be sent to this address.');
  if (url.username !== '' || url.password !== '')
    throw new EndpointRefused('The address must not contain credentials.');
  if (isForbiddenLiteral(url, rule.isAllowed))
    throw new EndpointRefused('This address is not on the public internet.');
  return url;
}

/**
 * Checks an endpoint before it is stored.
 * @throws EndpointRefused, also when the name cannot be resolved at the moment
 */
export async function checkEndpoint(endpoint: string, rule: EndpointRule): Promise<void> {
  if ((await lookUp(endpoint, rule)) !== null)
    throw new EndpointRefused('This host name is not on the public internet.');
}

/** How long a check waits for a name server, in ms. */
const LOOKUP_MS = 3_000;

/**
 * Whether messages may be sent to an address. A name that cannot be resolved at the moment passes, because it is checked
 * again for every message.
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

/** @returns why an endpoint's name is not allowed or not resolvable, null if it is fine @throws EndpointRefused */
async function lookUp(endpoint: string, rule: EndpointRule): Promise<Error | null> {
  const { hostname } = endpointUrl(endpoint, rule);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  const lookup = guardedLookup(rule.isAllowed, rule.resolve);
  return new Promise((resolve) => lookup(hostname, { all: true }, resolve));
}
