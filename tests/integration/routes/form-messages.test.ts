import { expectSound } from './answers.ts';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { alerts, fieldError, fieldValue, control, visibleText } from '#tests/support/html.ts';
import type { FormFields } from './web-client.ts';
import { calculationForm, registerForm, useWeb } from './web.ts';

/** Every message of the calculator's and the account's forms, through the forms as they are without scripts. */
const web = useWeb();

const FILL = 'Please fill in all fields';
const SHORT = 'Password must be at least 6 characters';
const AMOUNT = 'Peptide amount must be between 0.1mg and 100mg';
const WATER = 'Water volume must be between 0.5ml and 10ml';
const DOSE = 'Desired dose must be positive and less than total peptide amount';

describe('sign-in', () => {
  it.each<[string, FormFields, Record<string, string>]>([
    ['nothing at all', {}, { email: FILL, password: FILL }],
    ['empty fields', { email: '', password: '' }, { email: FILL, password: FILL }],
    ['blanks for an address', { email: '   ', password: PASSWORD }, { email: FILL }],
    ['no password', { email: 'a@example.org', password: '' }, { password: FILL }],
    ['a short password', { email: 'a@example.org', password: '12345' }, { password: SHORT }],
  ])('says what is wrong with %s', async (_, fields, errors) => {
    const { status, body } = await web.visitor().post('/login', fields);
    expect(status).toBe(400);
    for (const [name, message] of Object.entries(errors)) expect(fieldError(body, name), name).toBe(message);
    for (const name of ['email', 'password'].filter((name) => !(name in errors)))
      expect(fieldError(body, name), name).toBeNull();
  });

  it('keeps the address and the checkbox, never the password', async () => {
    const { status, body } = await web
      .visitor()
      .post('/login', { email: 'kept@example.org', password: 'never-shown-1', remember: 'on' });
    expect(status).toBe(400);
    expect(alerts(body)).toEqual(['Invalid email or password']);
    expect(fieldValue(body, 'email')).toBe('kept@example.org');
    expect(control(body, 'remember')).toHaveProperty('checked');
    expect(body).not.toContain('never-shown-1');
  });
});

describe('registration', () => {
  it.each<[string, FormFields, Record<string, string>]>([
    [
      'empty fields',
      { email: '', password: '', confirmPassword: '' },
      { email: FILL, password: FILL, confirmPassword: FILL },
    ],
    ['blanks for an address', { email: '  ' }, { email: FILL }],
    ['a short password', { password: '12345', confirmPassword: '12345' }, { password: SHORT }],
    [
      'passwords that differ',
      { confirmPassword: `${PASSWORD}x` },
      { confirmPassword: 'Passwords do not match' },
    ],
    ['unread terms', { agreeToTerms: [] }, { agreeToTerms: 'You must agree to the Terms of Service' }],
    [
      'an unknown age',
      { ageVerification: [] },
      { ageVerification: 'You must be 18 or older to use this service' },
    ],
    ['no address', { email: 'nobody' }, { email: 'Enter a valid email address' }],
  ])('says what is wrong with %s', async (_, wrong, errors) => {
    const client = web.visitor();
    const { status, body } = await client.post('/register', registerForm('messages@example.org', wrong));
    expect(status).toBe(400);
    for (const [name, message] of Object.entries(errors)) expect(fieldError(body, name), name).toBe(message);
    const fields = ['email', 'password', 'confirmPassword', 'agreeToTerms', 'ageVerification'];
    for (const name of fields.filter((name) => !(name in errors)))
      expect(fieldError(body, name), name).toBeNull();
    expect(client.cookies.size).toBe(0);
  });

  it('keeps the address, the checkboxes and the plan, never a password', async () => {
    const secret = 'never-shown-2';
    const { body } = await web
      .visitor()
      .post(
        '/register?plan=trial',
        registerForm('kept@example.org', { password: secret, confirmPassword: 'other', plan: 'trial' }),
      );
    expect(fieldValue(body, 'email')).toBe('kept@example.org');
    expect(control(body, 'ageVerification')).toHaveProperty('checked');
    expect(control(body, 'agreeToTerms')).toHaveProperty('checked');
    expect(fieldValue(body, 'plan')).toBe('trial');
    expect(fieldValue(body, 'password') ?? '').toBe('');
    expect(body).not.toContain(secret);
    expect(body).not.toContain('other"');
  });

  it('gives the same message for a known address as for a failure', async () => {
    const { email } = await web.user();
    const { status, body, setCookies } = await web.visitor().post('/register', registerForm(email));
    expect(status).toBe(400);
    expect(alerts(body)).toEqual(['Registration failed. Please try again.']);
    expect(setCookies).toEqual([]);
  });
});

const CALCULATIONS: [string, FormFields, Record<string, string>][] = [
  ['nothing to reckon with', { peptideAmount: '' }, { peptideAmount: AMOUNT }],
  ['no amount', { peptideAmount: '0' }, { peptideAmount: AMOUNT }],
  ['too much', { peptideAmount: '100.001' }, { peptideAmount: AMOUNT }],
  ['no water', { waterVolume: '0' }, { waterVolume: WATER }],
  ['too much water', { waterVolume: '10,01' }, { waterVolume: WATER }],
  ['no dose', { desiredDose: '0' }, { desiredDose: DOSE }],
  ['a dose above the amount', { desiredDose: '5001' }, { desiredDose: DOSE }],
  ['a sign', { peptideAmount: '-5' }, { peptideAmount: '-5 is not an amount; write it without a sign' }],
  [
    'an exponent',
    { waterVolume: '1e1' },
    { waterVolume: '1e1 is not an amount; write it without an exponent' },
  ],
  [
    'two separators',
    { desiredDose: '1.2.3' },
    {
      desiredDose:
        '1.2.3 is not an amount; write it with one decimal point and nothing else between the digits',
    },
  ],
  [
    'a currency',
    { peptideAmount: '$5' },
    { peptideAmount: '$5 is not an amount; write it without a currency sign' },
  ],
  ['words', { waterVolume: 'two' }, { waterVolume: 'Enter a number, such as 2' }],
  [
    'everything wrong at once',
    { peptideAmount: 'x', waterVolume: '11', desiredDose: '-1' },
    {
      peptideAmount: 'Enter a number, such as 5',
      waterVolume: WATER,
      desiredDose: '-1 is not an amount; write it without a sign',
    },
  ],
];

describe.each([
  ['the public address', 'GET', '/calculator'],
  ['the address of a signed-in user', 'GET', '/dashboard/calculator'],
  ['the saving form', 'POST', '/dashboard/calculator'],
])('%s', (_, method, path) => {
  it.each(CALCULATIONS)('says what is wrong with %s and keeps what was typed', async (_, wrong, errors) => {
    const client = path.startsWith('/dashboard') ? await web.user() : web.visitor();
    const fields = calculationForm({ ...wrong, peptideName: 'kept "name"', notes: 'kept\nnotes' });
    const query = new URLSearchParams(fields as Record<string, string>);
    const { status, body } =
      method === 'POST' ? await client.post(path, fields) : await client.get(`${path}?${query}`);
    expect(status).toBe(400);
    for (const name of ['peptideAmount', 'waterVolume', 'desiredDose']) {
      expect(fieldError(body, name), name).toBe(errors[name] ?? null);
      expect(fieldValue(body, name) ?? '', name).toBe(fields[name]);
    }
    if (path.startsWith('/dashboard')) {
      expect(fieldValue(body, 'peptideName')).toBe('kept "name"');
      expect(fieldValue(body, 'notes')?.trim()).toBe('kept\nnotes');
    }
  });
});

it.each([
  ['5', '2', '0.2', 'Very small injection volume - consider using more water for reconstitution'],
  ['5', '5', '2', 'Large injection volume - consider using less water for reconstitution'],
  ['50', '2', '5', 'High concentration - ensure proper mixing and sterility'],
])('warns of %s mg in %s ml for %s mg', async (peptideAmount, waterVolume, desiredDose, warning) => {
  const query = new URLSearchParams({ peptideAmount, waterVolume, desiredDose });
  const { status, body } = await web.visitor().get(`/calculator?${query}`);
  expect(status).toBe(200);
  expect(visibleText(body)).toContain(warning);
});

it('says at the amount that a single peptide has no component to choose', async () => {
  const answer = await web
    .visitor()
    .get('/calculator?doseOf=BPC-157&peptideAmount=5&waterVolume=2&desiredDose=0.25');
  expect(answer.status).toBe(400);
  expectSound(answer, 'doseOf without components');
  expect(visibleText(answer.body)).toContain(
    'Enter the components before you choose the one that the dose is for',
  );
});

it('says at the amount that the address contains components twice', async () => {
  const answer = await web.visitor().get('/calculator?components=&components=');
  expect(answer.status).toBe(400);
  expectSound(answer, 'components twice');
  expect(answer.body).toContain('href="#peptideAmount"');
});

it('asks whether mcg was meant, and applies it with one press', async () => {
  const visitor = web.visitor();
  const query = new URLSearchParams({
    peptideAmount: '5 mg',
    waterVolume: '2 mL',
    desiredDose: '250',
    desiredDoseUnit: 'mg',
  });
  const asked = await visitor.get(`/calculator?${query}`);
  expect(asked.status).toBe(400);
  expect(visibleText(asked.body)).toContain('Did you mean 250 mcg?');
  expect(asked.body).toMatch(/<button[^>]*name="meantUnit" value="mcg"/);
  const taken = await visitor.get(`/calculator?${query}&meantUnit=mcg`);
  expect(taken.status).toBe(200);
  expect(visibleText(taken.body)).toContain('0.25 mg = 0.100 ml (10 units)');
  expect(fieldValue(taken.body, 'peptideAmount')).toBe('5');
  expect(taken.body).toMatch(/<option (?:selected="" value="mcg"|value="mcg" selected="")/);
});

describe('export', () => {
  const form = (more: FormFields = {}) => ({
    format: 'csv',
    types: ['calculations'],
    startDate: '2020-01-01',
    endDate: '2090-01-01',
    includeMetadata: 'on',
    ...more,
  });

  it.each<[string, FormFields, string]>([
    ['no type', { types: [] }, 'Select at least one data type.'],
    ['an unknown type', { types: ['passwords'] }, 'Choose data types from the list.'],
    ['an unknown format', { format: 'exe' }, 'Choose CSV, JSON or PDF.'],
    ['a day that does not exist', { startDate: '2026-02-30' }, 'Enter a date as YYYY-MM-DD.'],
    [
      'days the wrong way round',
      { endDate: '2019-01-01' },
      'The end date must not be before the start date.',
    ],
    ['nothing saved', {}, 'No data found for the selected criteria and date range.'],
  ])('says what is wrong with %s', async (_, wrong, message) => {
    const client = await web.user();
    const { status, body } = await client.post('/dashboard/export?index', form(wrong));
    expect(status).toBe(400);
    expect(visibleText(body)).toContain(message);
    const kept = { ...form(), ...wrong };
    if (kept.startDate !== '2026-02-30') expect(fieldValue(body, 'startDate')).toBe(kept.startDate);
    expect(fieldValue(body, 'endDate')).toBe(kept.endDate);
  });

  it('explains what is wrong with a file’s address', async () => {
    const client = await web.user();
    const answer = await client.get('/dashboard/export/file?format=csv');
    expect([answer.status, answer.body]).toEqual([400, 'Select at least one data type.\n']);
    const locked = await client.get('/dashboard/export/file?format=csv&types=nutrition');
    expect([locked.status, locked.body]).toEqual([403, 'Premium users only\n']);
  });

  it('refuses premium types to a free user', async () => {
    const client = await web.user();
    const { status, body } = await client.post('/dashboard/export?index', form({ types: ['nutrition'] }));
    expect(status).toBe(403);
    expect(visibleText(body)).toContain('Premium users only');
  });
});

it('asks for an address in the demo form', async () => {
  const empty = await web.visitor().post('/?index', { email: '' });
  expect(empty.status).toBe(400);
  expect(visibleText(empty.body)).toContain(FILL);
  const wrong = await web.visitor().post('/?index', { email: 'not an address' });
  expect(wrong.status).toBe(400);
  expect(fieldValue(wrong.body, 'email')).toBe('not an address');
});
