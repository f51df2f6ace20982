import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

/** Addresses that are not of the public internet (IANA special-purpose address registries, RFC 6890). */
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

/** Of IPv6 only this stretch is given out for the public internet. */
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');

/** True for an address of the public internet; false for private, loopback, link-local and reserved ones. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4');
  return family === 6 && GLOBAL_IPV6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

/** A host that may not be called: it has an address that is not public. */
export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not an address of the public internet`);
    this.name = 'PrivateAddressError';
  }
}

/** Asks what addresses a name has. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a host for a socket and refuses it when any of its addresses is not allowed. The socket then connects to
 * what was checked: a name that answers otherwise a moment later gains nothing.
 * @param isAllowed tests let loopback through
 * @param resolve asked once for each connection
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

/** True when a URL's host is written as an address, and that is not allowed. Sockets do not look such hosts up. */
export function isForbiddenLiteral(url: URL, isAllowed: (address: string) => boolean): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isAllowed(host);
}
