import { describe, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { combinations } from '#tests/support/size.ts';
import { expectSound } from './answers.ts';
import { readKept } from './stored.ts';
import { encodeForm, type WebClient } from './web-client.ts';
import { calculationForm, registerForm, useOwnWeb } from './web.ts';

/** Input that no browser sends must neither break the server nor reach the database. */
const web = useOwnWeb();

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=cut';

interface Target {
  path: string;
  fields: Record<string, string>;
  client(): Promise<WebClient>;
}

const visitor = () => Promise.resolve(web.visitor());
const one = (fields: object) => fields as Record<string, string>;

const TARGETS: Target[] = [
  {
    path: '/dashboard/calculator',
    fields: one(calculationForm({ peptideName: 'BPC-157' })),
    client: () => web.registered(),
  },
  { path: '/register', fields: one(registerForm('hostile@example.org')), client: visitor },
  {
    path: '/dashboard/profile',
    fields: { name: 'Ada', timeZone: 'UTC' },
    client: () => web.registered(),
  },
  {
    path: '/dashboard/profile/units',
    fields: { doseUnit: 'mg', units: 'metric', syringe: 'u100-1ml', deadSpaceMl: '0' },
    client: () => web.registered(),
  },
  {
    path: '/dashboard/profile/password',
    fields: {
      currentPassword: 'not-the-one',
      newPassword: 'green-lamp-82',
      confirmPassword: 'green-lamp-82',
    },
    client: () => web.registered(),
  },
  { path: '/dashboard/profile/confirm', fields: { password: 'not-the-one' }, client: () => web.registered() },
  {
    path: '/dashboard/profile/tokens/new',
    fields: { name: 'Script', scope: 'read', life: '30' },
    client: () => web.registered(),
  },
  {
    path: '/dashboard/profile/passkeys/new',
    fields: { name: 'Phone', passkey: '{}' },
    client: () => web.registered(),
  },
  { path: '/passkey/options', fields: { use: 'second-step' }, client: () => web.registered() },
  {
    path: '/dashboard/profile/notifications',
    fields: { missedAfterHours: '24', leadDefault: '15', email: 'on' },
    client: () => web.registered(),
  },
  {
    path: '/dashboard/profile/email',
    fields: { email: 'hostile-change@example.org' },
    client: () => web.registered(),
  },
  { path: '/login', fields: { email: 'x@example.org', password: PASSWORD }, client: visitor },
  { path: '/forgot-password', fields: { email: 'x@example.org' }, client: visitor },
  { path: '/?index', fields: { email: 'demo@example.org' }, client: visitor },
  {
    path: '/dashboard/export?index',
    fields: { format: 'csv', types: 'calculations', startDate: '2020-01-01', endDate: '2020-01-02' },
    client: () => web.registered(),
  },
];

/** The fields of a form under other names, or with other values. */
const renamed = (fields: Record<string, string>, rename: (name: string) => string) =>
  encodeForm(Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value])));
const valued = (fields: Record<string, string>, value: string) =>
  encodeForm(Object.fromEntries(Object.keys(fields).map((name) => [name, value])));
const raw = (fields: Record<string, string>, encoded: string) =>
  Object.keys(fields)
    .map((name) => `${name}=${encoded}`)
    .join('&');

function part(name: string, value: string, file?: string): string {
  const filename = file === undefined ? '' : `; filename="${file}"\r\nContent-Type: text/plain`;
  return `--cut\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`;
}

const parts = (fields: Record<string, string>, file?: string) =>
  `${Object.entries(fields)
    .map(([name, value]) => part(name, value, file))
    .join('')}--cut--\r\n`;

type Body = (fields: Record<string, string>) => string | Buffer;

const BODIES: [string, string | null, Body][] = [
  ['nothing', FORM, () => ''],
  ['operators in brackets', FORM, (f) => renamed(f, (name) => `${name}[$ne]`)],
  ['operators behind a dot', FORM, (f) => renamed(f, (name) => `${name}.$gt`)],
  ['lists', FORM, (f) => renamed(f, (name) => `${name}[]`)],
  ['indexed lists', FORM, (f) => renamed(f, (name) => `${name}[0]`)],
  ['nested names', FORM, (f) => renamed(f, (name) => `${name}[a][b]`)],
  ['names through the prototype', FORM, (f) => renamed(f, (name) => `__proto__[${name}]`)],
  ['names through the constructor', FORM, (f) => renamed(f, (name) => `constructor[prototype][${name}]`)],
  ['names of every object', FORM, () => 'constructor=1&__proto__=2&toString=3&hasOwnProperty=4&length=5&=6'],
  ['operators as text', FORM, (f) => valued(f, '{"$ne":null}')],
  ['an expression as text', FORM, (f) => valued(f, '$where: sleep(5000)')],
  ['objects as text', FORM, (f) => valued(f, '[object Object]')],
  ['NUL bytes', FORM, (f) => raw(f, 'a%00b')],
  ['bytes that are no UTF-8', FORM, (f) => raw(f, '%ff%fe%c3%28')],
  ['half a surrogate', FORM, (f) => raw(f, '%ed%a0%80')],
  ['raw bytes', FORM, (f) => Buffer.concat([Buffer.from(`${Object.keys(f)[0]}=`), Buffer.alloc(64, 0xfe)])],
  ['broken percent-encoding', FORM, (f) => raw(f, '%zz%')],
  ['10,000 characters a field', FORM, (f) => valued(f, 'a'.repeat(10_000))],
  ['500,000 fields', FORM, () => 'a&'.repeat(500_000)],
  ['one field 50,000 times', FORM, (f) => `${Object.keys(f)[0]}=1&`.repeat(50_000)],
  ['every field twice', FORM, (f) => `${encodeForm(f)}&${encodeForm(f)}`],
  [
    'an intent of the form library',
    FORM,
    (f) => `__intent__=${encodeURIComponent('{"type":"reset"}')}&${valued(f, '')}`,
  ],
  ['files in place of text', MULTIPART, (f) => parts(f, 'a.txt')],
  ['a multipart body without an end', MULTIPART, (f) => parts(f).slice(0, -9)],
  ['a multipart body without a part', MULTIPART, () => '--cut--\r\n'],
  ['an empty multipart body', MULTIPART, () => ''],
  ['text as multipart', MULTIPART, (f) => encodeForm(f)],
  ['multipart without a boundary', 'multipart/form-data', (f) => parts(f)],
  ['multipart parts without names', MULTIPART, () => '--cut\r\nX: y\r\n\r\nz\r\n--cut--\r\n'],
  [
    'multipart operators',
    MULTIPART,
    (f) => parts(Object.fromEntries(Object.keys(f).map((n) => [`${n}[$ne]`, '']))),
  ],
];

const WRONG_TYPES: [string, string | null, Body][] = [
  ['JSON', 'application/json', (f) => JSON.stringify(f)],
  [
    'JSON operators',
    'application/json',
    (f) => JSON.stringify(Object.fromEntries(Object.keys(f).map((n) => [n, { $ne: null }]))),
  ],
  ['plain text', 'text/plain', (f) => encodeForm(f)],
  ['XML', 'application/xml', () => '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>'],
  ['no type at all', null, (f) => encodeForm(f)],
  ['a type that cannot be read', ';;;', (f) => encodeForm(f)],
];

/** What is sent to which form: each senseless body to the first two and to another in turn, and JSON to all of them. */
const SENT = [
  ...combinations(BODIES, TARGETS, { always: 2 }).map(([body, { path }]) => ({ path, body, status: 400 })),
  ...combinations(TARGETS, WRONG_TYPES).map(([{ path }, body]) => ({ path, body, status: 415 })),
];
const TO_SCRIPTS = [
  ...combinations([...BODIES.slice(0, 12), ...BODIES.slice(-6)], TARGETS),
  ...combinations(TARGETS, WRONG_TYPES).map(([target, body]) => [body, target] as const),
].map(([body, { path }]) => ({ path, body }));

describe.each(TARGETS)('$path', ({ path, fields, client }) => {
  const here = (sent: { path: string }) => sent.path === path;

  it('answers senseless bodies with 400, anything but a form with 415, and stores nothing', async () => {
    const sender = await client();
    const before = await readKept(web.dataDir);
    const sent = SENT.filter(here);
    expect(new Set(sent.map(({ status }) => status)).size).toBe(2);
    for (const {
      body: [what, type, body],
      status,
    } of sent) {
      const answer = await sender.send(path, body(fields), type);
      expectSound(answer, what);
      expect(answer.status, what).toBe(status);
      expect(answer.body.length, what).toBeLessThan(1_500_000);
    }
    expect(await readKept(web.dataDir)).toEqual(before);
  });

  it('gives the same answers to scripts', async () => {
    const sender = await client();
    const [pathname = '', query = ''] = path.split('?');
    const dataPath = `${pathname === '/' ? '/_root' : pathname}.data?${query}`;
    for (const {
      body: [what, type, body],
    } of TO_SCRIPTS.filter(here)) {
      const answer = await sender.send(dataPath, body(fields), type);
      expectSound(answer, what);
      expect([400, 415], what).toContain(answer.status);
    }
  });
});

/** Names that a form may not set, with values that would matter if it could. */
const UNKNOWN = {
  role: 'super_admin',
  subscription: 'premium',
  subscriptionStatus: 'active',
  userId: 'someone-else',
  _id: 'chosen',
  id: 'chosen',
  passwordHash: 'chosen',
  createdAt: '2000-01-01',
  grantedAt: '2026-01-01',
  trialEndsAt: '2099-01-01',
  creditUntil: '2099-01-01',
  concentration: '31337.25',
  injectionVolume: '31337.25',
  $set: 'x',
  '__proto__[role]': 'admin',
};

it('takes from a form what the form has, and nothing else', async () => {
  const before = await readKept(web.dataDir);
  const client = web.visitor();
  const registered = await client.post('/register', { ...registerForm('plain@example.org'), ...UNKNOWN });
  expect(registered.status).toBe(302);
  const saved = await client.post('/dashboard/calculator', {
    ...calculationForm(),
    ...UNKNOWN,
    saveKey: 'k',
  });
  expect(saved.status).toBe(302);
  const after = await readKept(web.dataDir);
  const user = after['users']?.find((row) => row['email'] === 'plain@example.org');
  expect(user).toMatchObject({
    role: 'user',
    billingStatus: 'none',
    grantedAt: null,
    trialEndsAt: null,
    creditUntil: null,
  });
  expect(user?._id).not.toBe('chosen');
  const known = new Set(before['calculations']?.map(({ _id }) => String(_id)));
  const [calculation, ...more] = (after['calculations'] ?? []).filter(({ _id }) => !known.has(String(_id)));
  expect(more).toEqual([]);
  expect(calculation).toMatchObject({ userId: user?._id, concentration: 2.5, injectionVolume: 0.1 });
  expect(JSON.stringify([user, calculation])).not.toMatch(/chosen|someone-else|31337|super_admin/);
  expect(Object.keys(calculation?.['input'] as object).toSorted()).toEqual([
    'desiredDose',
    'desiredDoseUnit',
    'displacement',
    'peptideAmount',
    'solveFor',
    'syringe',
    'waterVolume',
  ]);
});
