import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CALCULATION_FIELDS } from '#app/domain/calculator/calculation-schema.ts';
import { expectSound } from './answers.ts';
import { visibleText } from '#tests/support/html.ts';
import { storedIn } from './stored.ts';
import { calculationForm, registerForm, useOwnWeb } from './web.ts';

/** Whatever is requested or sent, the answer is a page and the database contains only valid data. */
const web = useOwnWeb();

const RUNS = 60;

/** Text with a special meaning for some program along the way. */
const loaded = fc.constantFrom(
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e5',
    '0x10',
    '1,5',
    '1.5.2',
    '٣',
    '½',
    'NaN',
    'Infinity',
    '$ne',
    '{"$gt":""}',
    '[]',
  ],
  ...[
    '__proto__',
    'constructor',
    '../..',
    '%',
    '%00',
    '\u0000',
    '\ud800',
    '\r\nX: y',
    '<script>',
    "' OR 1=1",
    '=1+1',
  ],
  ...[
    'a'.repeat(3000),
    '9'.repeat(300),
    '0.' + '0'.repeat(200) + '1',
    'on',
    'true',
    'volume',
    'u100-1ml',
    '2026-02-30',
  ],
);
const text = fc.oneof(
  loaded,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 30 }),
  fc.double().map(String),
  fc.integer({ min: 0, max: 120 }).map(String),
);
const oddName = fc.constantFrom(
  '',
  '__proto__',
  'constructor',
  'mode',
  'history',
  'search',
  'dialog',
  '_routes',
  'index',
);

/** Some of these fields with any text, names with brackets, names twice, and names from elsewhere. */
function fieldsOf(names: readonly string[]) {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...names)
        .chain((base) => fc.constantFrom(`${base}[$ne]`, `${base}[]`, `${base}.0`)),
    },
    { weight: 1, arbitrary: oddName },
  );
  return fc.array(fc.tuple(name, text), { maxLength: 10 });
}

/** What stands in a form is changed here and there. */
function changed(form: Record<string, unknown>) {
  const whole = Object.entries(form) as [string, string][];
  return fc
    .tuple(fc.subarray(whole), fieldsOf(Object.keys(form)))
    .map(([kept, changes]) => encodePairs([...kept, ...changes]));
}

const encodePairs = (pairs: readonly (readonly [string, string])[]) =>
  new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();

it('addresses of the calculator', async () => {
  const client = web.visitor();
  const names = [...CALCULATION_FIELDS, 'mode', 'recommendations', 'reference', 'dialog'];
  await fc.assert(
    fc.asyncProperty(fieldsOf(names), async (pairs) => {
      const answer = await client.get(`/calculator?${encodePairs(pairs)}`);
      expectSound(answer, JSON.stringify(pairs));
      expect([200, 400]).toContain(answer.status);
      const [panel = ''] = answer.body.slice(answer.body.indexOf('id="result"')).split('</section>', 1);
      expect(visibleText(panel)).not.toMatch(/NaN|Infinity|undefined|\[object/);
    }),
    { numRuns: RUNS * 2 },
  );
});

it('addresses of the history', async () => {
  const client = await web.user();
  await client.post('/dashboard/calculator', calculationForm({ peptideName: 'Kept' }));
  await fc.assert(
    fc.asyncProperty(fieldsOf(['search', 'sort', 'page', 'cursor', 'limit']), async (pairs) => {
      const answer = await client.get(`/dashboard/calculator?history=1&${encodePairs(pairs)}`);
      expectSound(answer, JSON.stringify(pairs));
      expect(answer.status).toBe(200);
    }),
    { numRuns: RUNS },
  );
});

const FORM = 'application/x-www-form-urlencoded';

it.each([
  [
    '/login',
    { email: 'fuzz@example.org', password: 'long-enough', remember: 'on', redirectTo: '/dashboard' },
  ],
  [
    '/dashboard/export?index',
    { format: 'csv', types: 'calculations', startDate: '2020-01-01', endDate: '2090-01-01' },
  ],
])('forms sent to %s', async (path, form) => {
  const client = path === '/login' ? web.visitor() : await web.user();
  await fc.assert(
    fc.asyncProperty(changed(form), async (body) => {
      const answer = await client.send(path, body, FORM);
      expectSound(answer, body);
      expect([400, 403]).toContain(answer.status);
    }),
    { numRuns: RUNS / 2 },
  );
});

it('registrations create one account each if accepted, and no others', async () => {
  let accepted = 0;
  const before = (await storedIn(web.dataDir, 'users')).length;
  await fc.assert(
    fc.asyncProperty(changed(registerForm('fuzz@example.org') as Record<string, string>), async (body) => {
      const answer = await web.visitor().send('/register', body, FORM);
      expectSound(answer, body);
      if (answer.status === 302) accepted += 1;
      else expect(answer.status).toBe(400);
    }),
    { numRuns: RUNS / 2 },
  );
  expect(await storedIn(web.dataDir, 'users')).toHaveLength(before + accepted);
});

it('saves create one valid row each if accepted, and no others', async () => {
  const client = await web.user();
  let accepted = 0;
  const before = (await storedIn(web.dataDir, 'calculations')).length;
  const form = calculationForm({ peptideName: 'Fuzz', notes: 'n', saveKey: '' }) as Record<string, string>;
  await fc.assert(
    fc.asyncProperty(changed(form), async (body) => {
      const answer = await client.send('/dashboard/calculator', body, FORM);
      expectSound(answer, body);
      if (answer.status === 302) accepted += 1;
      else expect(answer.status).toBe(400);
    }),
    { numRuns: RUNS },
  );
  const rows = await storedIn(web.dataDir, 'calculations');
  // A save key that the fuzz sent twice saves once.
  expect(rows.length).toBeLessThanOrEqual(before + accepted);
  for (const { input, concentration, injectionVolume } of rows) {
    const { peptideAmount } = input as { peptideAmount: string };
    expect(peptideAmount).toMatch(/^\d*\.?\d+$|^\d+\.?\d*$/);
    expect(Number(peptideAmount)).toBeLessThanOrEqual(100);
    expect(Number.isFinite(concentration) && concentration > 0).toBe(true);
    expect(Number.isFinite(injectionVolume) && injectionVolume > 0).toBe(true);
  }
});
