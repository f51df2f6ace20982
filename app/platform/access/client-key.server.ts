import { isIPv6, SocketAddress } from 'node:net';

/** The eight groups of an IPv6 address, lower case and without leading zeros. */
function groupsOf(address: string): string[] {
  const [bare = ''] = address.split('%');
  // A URL writes every form of an address the same way, also one that ends like an IPv4 address.
  const canonical = new URL(`http://[${new SocketAddress({ address: bare, family: 'ipv6' }).address}]`);
  const [head = '', tail = ''] = canonical.hostname.slice(1, -1).split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const [first, last] = [groups(head), groups(tail)];
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
}

/**
 * Who counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because one line or one rented server
 * has all 2^64 addresses behind them. An IPv4 address that is written as IPv6 is the IPv4 address.
 * @param address a network address; any other text, such as `terminal`, is its own client
 */
export function clientKey(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,ffff') return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = groups.slice(6).flatMap((group) => {
    const bits = Number.parseInt(group, 16);
    return [bits >> 8, bits & 255];
  });
  return bytes.join('.');
}
