import { describe, expect, it } from 'vitest';
import { isAppError, type FieldErrors } from '#app/domain/errors.ts';
import { registerSchema, signInSchema } from '#app/domain/accounts/account-schema.ts';
import { exportSchema } from '#app/domain/export/export-schema.ts';
import { historyQuerySchema } from '#app/domain/calculator/history.ts';
import { parseInput } from '#app/domain/forms/fields.ts';

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
  it('takes a valid form and stores the address in one form', () => {
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

  it('names everything that is wrong in one answer', () => {
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

  it('accepts passwords of 64 characters and more, blanks included, and cuts none (6.2.9)', () => {
    const password = ` ${'long phrase '.repeat(20)} `;
    expect(parseInput(registerSchema, { ...VALID, password, confirmPassword: password }).password).toBe(
      password,
    );
  });

  it('drops what a form may not set (8.2.3) and what it does not understand', () => {
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

  it('answers anything that is no object', () => {
    for (const input of [null, undefined, 'x', 1, [], () => 0])
      expect(() => parseInput(registerSchema, input)).toThrow();
  });
});

describe('sign-in', () => {
  it('asks for both fields and six characters', () => {
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
  it('orders types and fills in what is not said', () => {
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
