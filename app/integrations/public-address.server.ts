import { BlockList, isIP, type LookupFunction } from 'node:net';
import { createResolve, oneAtATime, type Resolve } from './name-lookup.server.ts';

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

/** The name servers of the system. */
const systemNames = createResolve();

/**
 * Resolves a host for a socket and rejects it if any of its addresses is not allowed. The socket connects to the checked
 * address, so a name that resolves differently a moment later gains nothing. Names of one account are resolved one after
 * the other.
 * @param isAllowed tests allow loopback
 * @param resolve called once per connection
 */
export function guardedLookup(
  account: string,
  isAllowed: (address: string) => boolean = isPublicAddress,
  resolve: Resolve = systemNames,
): LookupFunction {
  const inTurn = oneAtATime(account, resolve);
  return (hostname, options, callback) => {
    inTurn(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new PrivateAddressError(hostname), '', 0);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

/** Names of this machine and of local networks (RFC 6761, RFC 8375, `.internal` of ICANN), and those without a dot. */
const PRIVATE_NAME = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** True if a URL's host is never called: an IP address that is not allowed, or the name of a private host. */
export function isForbiddenHost(url: URL, isAllowed: (address: string) => boolean): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return !isAllowed(host);
  return PRIVATE_NAME.test(host.toLowerCase().replace(/\.$/, ''));
}

/** Longest address; the large push services use a few hundred characters. */
const LONGEST = 2048;

/** Which addresses messages may be sent to. Users choose the address, so it must not lead into our own network. */
export interface EndpointRule {
  protocols: readonly string[];
  isAllowed(address: string): boolean;
  /** Resolves host names; by default with the name servers of the system. */
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
 * @throws EndpointRefused for another protocol, credentials, or a host that is never called
 */
export function endpointUrl(endpoint: string, rule: EndpointRule): URL {
  const url = endpoint.length <= LONGEST && URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !rule.protocols.includes(url.protocol))
    throw new EndpointRefused('Messages cannot be sent to this address.');
  if (url.username !== '' || url.password !== '')
    throw new EndpointRefused('The address must not contain credentials.');
  if (isForbiddenHost(url, rule.isAllowed))
    throw new EndpointRefused('This address is not on the public internet.');
  return url;
}

/** What a check of an endpoint found. `slow`: nothing, because its name server does not answer in time. */
export type EndpointCheck = 'public' | 'private' | 'unresolved' | 'slow';

/** How long a check waits, its turn among other lookups of the account included, in ms. */
const CHECK_MS = 5_000;

/** Checks an endpoint before it is stored. Its name is checked again for every message. */
export async function checkEndpoint(
  account: string,
  endpoint: string,
  rule: EndpointRule,
): Promise<EndpointCheck> {
  let hostname: string;
  try {
    ({ hostname } = endpointUrl(endpoint, rule));
  } catch (error) {
    if (error instanceof EndpointRefused) return 'private';
    throw error;
  }
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'public';
  const lookup = guardedLookup(account, rule.isAllowed, rule.resolve);
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, CHECK_MS, 'slow');
    lookup(hostname, { all: true }, (error) => {
      clearTimeout(patience);
      if (error === null) resolve('public');
      else if (error instanceof PrivateAddressError) resolve('private');
      else resolve(error.code === 'ETIMEOUT' ? 'slow' : 'unresolved');
    });
  });
}
