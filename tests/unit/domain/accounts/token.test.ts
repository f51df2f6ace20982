import { describe, expect, it } from 'vitest';
import {
  API_TOKEN_LIVES,
  apiTokenEnd,
  isExpired,
  createApiTokenSchema,
} from '#app/domain/accounts/api-token.ts';

const NOW = new Date('2026-03-28T23:30:00Z');
const at = (ms: number) => new Date(NOW.getTime() + ms);

describe('the lifetime of an API token', () => {
  it.each([
    ['30', 30],
    ['90', 90],
    ['365', 365],
  ] as const)('%s days end to the millisecond, daylight saving or not', (life, days) => {
    const end = apiTokenEnd(life, NOW);
    expect(end).toEqual(at(days * 86_400_000));
    expect(isExpired({ expiresAt: end }, at(days * 86_400_000 - 1))).toBe(false);
    expect(isExpired({ expiresAt: end }, at(days * 86_400_000))).toBe(true);
  });

  it('can be unlimited', () => {
    expect(apiTokenEnd('never', NOW)).toBeNull();
    expect(isExpired({ expiresAt: null }, new Date(8.64e15))).toBe(false);
  });

  it('must be one of those offered', () => {
    for (const life of API_TOKEN_LIVES)
      expect(createApiTokenSchema.safeParse({ name: 'a', scope: 'read', life }).success).toBe(true);
  });
});

describe('the API token form', () => {
  const good = { name: 'Home server', scope: 'read', life: '90' };

  it.each([
    ['name', '', 'Give the token a name that you will recognise'],
    ['name', ' \t\n', 'Give the token a name that you will recognise'],
    ['name', 'x'.repeat(61), 'A name can have at most 60 characters'],
    ['name', ['a', 'b'], 'Give the token a name that you will recognise'],
    ['scope', 'admin', 'Choose what the token may do'],
    ['scope', undefined, 'Choose what the token may do'],
    ['life', '31', 'Choose how long the token lasts'],
    ['life', -1, 'Choose how long the token lasts'],
  ])('refuses %s %j', (field, value, message) => {
    const parsed = createApiTokenSchema.safeParse({ ...good, [field]: value });
    expect(parsed.error?.issues[0]?.message).toBe(message);
  });

  it('puts the name on one line', () => {
    const name = ' Home\r\n\u0000server ';
    expect(createApiTokenSchema.parse({ ...good, name }).name).toBe('Home server');
  });
});
