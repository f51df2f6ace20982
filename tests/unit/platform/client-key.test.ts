import { describe, expect, it } from 'vitest';
import { clientKey } from '#app/platform/access/client-key.server.ts';

describe('one client', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::FFFF:c633:6407', '198.51.100.7'],
    ['0:0:0:0:0:ffff:c633:6407', '198.51.100.7'],
    ['2001:db8:0:2a:1:2:3:4', '2001:db8:0:2a::/64'],
    ['2001:DB8:0:002A::1', '2001:db8:0:2a::/64'],
    ['2001:db8::2a:0:0:0:1', '2001:db8:0:2a::/64'],
    ['2001:db8:0:2a::198.51.100.7', '2001:db8:0:2a::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['terminal', 'terminal'],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, key) => {
    expect(clientKey(address)).toBe(key);
  });
});
