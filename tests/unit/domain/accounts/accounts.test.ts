import { describe, expect, it } from 'vitest';
import { browserName } from '#app/domain/accounts/browser-name.ts';
import { isRecentSignIn, RECENT_SIGN_IN_MINUTES } from '#app/domain/accounts/account.ts';
import { profileSchema } from '#app/domain/accounts/profile.ts';
import { changePasswordSchema, registerSchema, signInSchema } from '#app/domain/accounts/account-schema.ts';
import { timeZoneChoices, readTimeZone, zoneName } from '#app/domain/time/zoned-time.ts';
import { isAppError, type FieldErrors } from '#app/domain/errors.ts';
import { exportSchema } from '#app/domain/export/export-schema.ts';
import { historyQuerySchema } from '#app/domain/calculator/history.ts';
import { parseInput } from '#app/domain/forms/fields.ts';

describe('browserName', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
      'Chrome on iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.5.0', 'curl'],
    ['<script>alert(1)</script>', 'Unknown browser'],
    [null, 'Unknown browser'],
  ])('of %j is %s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });
});

describe('a recent sign-in', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

  it('is at most 15 minutes old', () => {
    expect(RECENT_SIGN_IN_MINUTES).toBe(15);
    expect(isRecentSignIn(ago(0), now)).toBe(true);
    expect(isRecentSignIn(ago(15 * 60 - 1), now)).toBe(true);
    expect(isRecentSignIn(ago(15 * 60), now)).toBe(false);
  });

  it('does not become recent because the clock was set back', () => {
    expect(isRecentSignIn(ago(-3600), now)).toBe(false);
  });
});

describe('the profile', () => {
  const valid = { name: 'Ada', timeZone: 'Europe/Vienna', doseUnit: 'mcg', units: 'metric' };

  it('keeps a name on one line, without control characters', () => {
    const parsed = profileSchema.parse({ ...valid, name: '  Ada\r\nBcc: a@b.cd\u0000  Lovelace ' });
    expect(parsed.name).toBe('Ada Bcc: a@b.cd Lovelace');
  });

  it.each([
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', '+02:00'],
    ['timeZone', 'x'.repeat(10_000)],
    ['doseUnit', 'g'],
    ['units', ''],
    ['syringe', 'u60-1ml'],
    ['name', 'x'.repeat(101)],
  ])('refuses %s %j', (field, value) => {
    const parsed = profileSchema.safeParse({ ...valid, [field]: value });
    expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });

  it('offers UTC first, then each time zone once under its current name, with its offset', () => {
    const choices = timeZoneChoices(new Date('2026-01-15T12:00:00Z'));
    const names = choices.map(({ value }) => value);
    expect(names[0]).toBe('UTC');
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('Asia/Kolkata');
    expect(names).not.toContain('Asia/Calcutta');
    expect(choices).toContainEqual({ value: 'America/New York', label: 'New York, UTC−05:00' });
    for (const name of names) expect(readTimeZone(name), name).not.toBeNull();
  });

  it.each([
    ['America/New_York', 'America/New York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos Aires'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['UTC', 'UTC'],
  ])('shows the zone %s as %s, wherever it is shown', (stored, shown) => {
    expect(zoneName(stored)).toBe(shown);
    expect(timeZoneChoices(new Date('2026-01-15T12:00:00Z')).map(({ value }) => value)).toContain(shown);
  });

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['America/New York', 'America/New_York'],
    ['america/new_york', 'America/New_York'],
    [' new  york ', 'America/New_York'],
    ['Berlin', 'Europe/Berlin'],
    ['Calcutta', 'Asia/Kolkata'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['utc', 'UTC'],
    ['US/Eastern', 'US/Eastern'],
    ['Springfield', null],
    ['', null],
    ['+02:00', null],
  ])('reads %j as %j', (typed, zone) => expect(readTimeZone(typed)).toBe(zone));
});

describe('a password change', () => {
  const problems = (input: object) =>
    (changePasswordSchema.safeParse(input).error?.issues ?? []).map(({ path, message }) => [
      path[0],
      message,
    ]);

  it('requires all three fields, two matching new passwords, and a password other than the current one', () => {
    const same = { currentPassword: 'old-kettle', newPassword: 'old-kettle', confirmPassword: 'other' };
    expect(problems({})).toEqual([
      ['currentPassword', 'Please fill in all fields'],
      ['newPassword', 'Please fill in all fields'],
      ['confirmPassword', 'Please fill in all fields'],
    ]);
    expect(problems(same)).toEqual([
      ['confirmPassword', 'Passwords do not match'],
      ['newPassword', 'The new password is the same as the current one'],
    ]);
  });

  it('refuses a password of 10,000 characters without hashing it', () => {
    const long = 'x'.repeat(10_000);
    expect(problems({ currentPassword: 'x', newPassword: long, confirmPassword: long })).toEqual([
      ['newPassword', 'Password must be at most 1024 characters'],
    ]);
  });
});

const VALID = {
  email: 'Ada@Example.org ',
  password: 'blue-kettle-47',
  confirmPassword: 'blue-kettle-47',
  agreeToTerms: true,
  ageVerification: true,
};

function fieldsOf(schema: Parameters<typeof parseInput>[0], input: unknown): FieldErrors {
  try {
    parseInput(schema, input);
  } catch (error) {
    if (isAppError(error) && error.fields) return error.fields;
    throw error;
  }
  return {};
}

describe('registration', () => {
  it('accepts a valid form and normalises the address', () => {
    expect(parseInput(registerSchema, VALID)).toMatchObject({
      email: 'ada@example.org',
      password: 'blue-kettle-47',
    });
  });

  it.each([
    [{ email: '' }, 'email', 'Please fill in all fields'],
    [{ email: undefined }, 'email', 'Please fill in all fields'],
    [{ email: '   ' }, 'email', 'Please fill in all fields'],
    [{ email: 'ada' }, 'email', 'Enter a valid email address'],
    [{ email: 'ada@localhost' }, 'email', 'Enter a valid email address'],
    [{ email: `${'a'.repeat(250)}@example.org` }, 'email', 'Enter a valid email address'],
    [{ email: { $gt: '' } }, 'email', 'Please fill in all fields'],
    [{ email: ['a@example.org'] }, 'email', 'Please fill in all fields'],
    [{ password: '' }, 'password', 'Please fill in all fields'],
    [{ password: '12345', confirmPassword: '12345' }, 'password', 'Password must be at least 6 characters'],
    [{ confirmPassword: 'other-kettle' }, 'confirmPassword', 'Passwords do not match'],
    [{ agreeToTerms: false }, 'agreeToTerms', 'You must agree to the Terms of Service'],
    [{ agreeToTerms: undefined }, 'agreeToTerms', 'You must agree to the Terms of Service'],
    [{ ageVerification: undefined }, 'ageVerification', 'You must be 18 or older to use this service'],
  ])('refuses %j at its field in the words of the specification', (more, field, message) => {
    expect(fieldsOf(registerSchema, { ...VALID, ...more })).toEqual({ [field]: [message] });
  });

  it('reports all errors at once', () => {
    const form = {
      ...VALID,
      confirmPassword: 'other',
      email: 'x',
      agreeToTerms: undefined,
      ageVerification: false,
    };
    expect(fieldsOf(registerSchema, form)).toEqual({
      email: ['Enter a valid email address'],
      agreeToTerms: ['You must agree to the Terms of Service'],
      ageVerification: ['You must be 18 or older to use this service'],
      confirmPassword: ['Passwords do not match'],
    });
  });

  it('accepts passwords of 64 and more characters, including spaces, without truncating them', () => {
    const password = ` ${'long phrase '.repeat(20)} `;
    expect(parseInput(registerSchema, { ...VALID, password, confirmPassword: password }).password).toBe(
      password,
    );
  });

  it('drops unknown fields and those a form may not set', () => {
    const more = {
      role: 'super_admin',
      subscription: 'premium',
      userId: 'x',
      plan: 'gold',
      ref: '<script>',
      timeZone: 'Mars',
    };
    const parsed = parseInput(registerSchema, { ...VALID, ...more });
    expect(Object.keys(parsed).filter((key) => ['role', 'subscription', 'userId'].includes(key))).toEqual([]);
    expect(parsed).toMatchObject({ plan: undefined, ref: undefined, timeZone: undefined });
    expect(
      parseInput(registerSchema, { ...VALID, plan: 'trial', ref: 'AB-12', timeZone: 'Europe/Berlin' }),
    ).toMatchObject({
      plan: 'trial',
      ref: 'AB-12',
      timeZone: 'Europe/Berlin',
    });
  });

  it('reports errors for anything that is not an object', () => {
    for (const input of [null, undefined, 'x', 1, [], () => 0])
      expect(() => parseInput(registerSchema, input)).toThrow();
  });
});

describe('sign-in', () => {
  it('requires both fields and six characters', () => {
    expect(fieldsOf(signInSchema, {})).toEqual({
      email: ['Please fill in all fields'],
      password: ['Please fill in all fields'],
    });
    expect(fieldsOf(signInSchema, { email: 'x', password: '12345' })).toEqual({
      password: ['Password must be at least 6 characters'],
    });
  });
});

describe('the export form', () => {
  it('sorts the types and fills in defaults', () => {
    const types = ['schedules', 'calculations', 'calculations'];
    expect(parseInput(exportSchema, { format: 'csv', types, startDate: '', endDate: null })).toEqual({
      format: 'csv',
      types: ['calculations', 'schedules'],
      includeMetadata: true,
    });
  });
});

describe('the history query', () => {
  it('never fails', () => {
    for (const input of [{}, { page: {}, sort: [], search: 5, limit: -1, cursor: 'x'.repeat(5000) }]) {
      expect(historyQuerySchema.parse(input)).toMatchObject({ sort: 'date', search: '', page: 1, limit: 20 });
    }
    expect(historyQuerySchema.parse({ page: '3', limit: '5', search: ` ${'x'.repeat(500)}` })).toMatchObject({
      page: 3,
      limit: 5,
      search: 'x'.repeat(200),
    });
  });
});
