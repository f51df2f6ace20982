import { describe, expect, it } from 'vitest';
import { addressClass, noShare, SHARE_DAYS, shareEnd, shareState } from '#app/domain/reports/report-share.ts';

const NOW = new Date('2026-03-29T00:30:00Z');

describe('a report link', () => {
  it.each(SHARE_DAYS)('for %s days works until the instant it ends', (days) => {
    const expiresAt = shareEnd(days, NOW);
    expect(expiresAt.getTime() - NOW.getTime()).toBe(Number(days) * 86_400_000);
    const before = new Date(expiresAt.getTime() - 1);
    expect(shareState({ expiresAt, revokedAt: null }, before)).toBe('open');
    expect(shareState({ expiresAt, revokedAt: null }, expiresAt)).toBe('expired');
  });

  it('is still shown as revoked after it would have expired', () => {
    const term = { expiresAt: shareEnd('1', NOW), revokedAt: NOW };
    expect(shareState(term, NOW)).toBe('revoked');
    expect(shareState(term, shareEnd('30', NOW))).toBe('revoked');
  });

  it('never says why it does not work', () => {
    expect(noShare()).toMatchObject({ code: 'NOT_FOUND' });
    expect(noShare().message).not.toMatch(/expired|revoked/i);
  });
});

describe('the origin of a report view', () => {
  it.each([
    ['127.0.0.1', 'this machine'],
    ['::1', 'this machine'],
    ['::ffff:127.0.0.1', 'this machine'],
    ['192.168.1.7', 'a private network'],
    ['10.1.2.3', 'a private network'],
    ['172.16.0.1', 'a private network'],
    ['172.32.0.1', 'network 172.32.0.0/24'],
    ['100.64.0.9', 'a private network'],
    ['100.128.0.9', 'network 100.128.0.0/24'],
    ['fd12::1', 'a private network'],
    ['fe80::1', 'a private network'],
    ['203.0.113.77', 'network 203.0.113.0/24'],
    ['::ffff:203.0.113.77', 'network 203.0.113.0/24'],
    ['2001:db8:abcd:12::9', 'network 2001:db8:abcd::/48'],
    ['2001:DB8::1', 'network 2001:db8:0::/48'],
    ['terminal', 'an unknown network'],
    ['', 'an unknown network'],
  ])('%s is %s', (address, text) => {
    expect(addressClass(address)).toBe(text);
  });

  it('never contains the last part of an address', () => {
    for (let host = 1; host < 255; host += 1)
      expect(addressClass(`198.51.100.${host}`)).toBe('network 198.51.100.0/24');
  });
});
