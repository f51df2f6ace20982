import { expect } from 'vitest';
import { documentOf, elements, screenOf } from '#tests/support/html.ts';
import type { Answer } from './web-client.ts';

/** Internal details: stack lines, file paths, error classes, names of libraries. */
const INSIDE = [
  /\bat (?:(?:async |new )?\S+ \(?)?[^<\s"]*\/[^<\s"]*:\d+:\d+/,
  /node_modules/,
  /\b(Type|Range|Reference|Syntax|Mongo\w*|Cast|Validation|Zod)Error\b/,
  /E11000/,
  /\/build\/(server|web)\//,
];

/** An input with a limit for typed text that its type does not have, which is no valid HTML. */
const LIMITED =
  /<input\b(?=[^>]*\stype="(?:date|datetime-local|time|number|checkbox|radio|file|hidden)")[^>]*\smaxlength=[^>]*>/i;

/** Expects that the answer is no server error and reveals no internal details. */
export function expectSound(answer: Answer, what: string): void {
  expect(answer.status, `${what}: ${answer.body.slice(0, 300)}`).toBeLessThan(500);
  for (const trace of INSIDE) expect(answer.body, what).not.toMatch(trace);
  expect(
    answer.body.match(LIMITED)?.[0],
    `${what}: a limit for typed text where none is typed`,
  ).toBeUndefined();
  const { linked, wrong } = fieldsToFix(answer.body);
  expect(
    linked.filter(({ isThere }) => !isThere),
    `${what}: links to no field`,
  ).toEqual([]);
  const targets = linked.map(({ id }) => id);
  const unlinked = wrong.filter((id) => !targets.includes(id) && !ONLY_FIELDS.includes(id));
  expect(unlinked, `${what}: fields without a link`).toEqual([]);
}

/** Forms of a single field need no link to it. */
const ONLY_FIELDS = ['demo-interest-email', 'file', 'text'];

/** The links of a page's error summaries, and the fields that have a message. */
function fieldsToFix(html: string): { linked: { id: string; isThere: boolean }[]; wrong: string[] } {
  // Most answers have neither, and reading a page takes a while.
  if (!/aria-invalid|Fields to fix/.test(html)) return { linked: [], wrong: [] };
  const summaries = screenOf(html).queryAllByRole('navigation', { name: 'Fields to fix' });
  const links = summaries.flatMap((summary) => [...summary.querySelectorAll('a')]);
  const linked = links.map((link) => {
    const id = link.getAttribute('href')?.replace(/^#/, '') ?? '';
    return { id, isThere: documentOf(html).getElementById(id) !== null };
  });
  const controls = elements(html, 'input, select, textarea').filter(
    (control) => control.getAttribute('aria-invalid') === 'true',
  );
  // A control without an id is one of a group, which has one.
  const wrong = controls.flatMap((control) => control.getAttribute('id') ?? []);
  return { linked, wrong };
}

/** The headers that every answer carries (ASVS 3.4.1 to 3.4.6). */
export function expectSecurityHeaders(answer: Answer, what: string): void {
  const { headers } = answer;
  const policy = String(headers['content-security-policy'] ?? '');
  for (const directive of [
    "default-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ])
    expect(policy, what).toContain(directive);
  expect(policy, what).toMatch(/script-src 'nonce-[\w-]{22}' 'strict-dynamic'/);
  expect(policy, what).not.toMatch(/unsafe-(inline|eval)/);
  expect(headers['x-content-type-options'], what).toBe('nosniff');
  expect(headers['x-frame-options'], what).toBe('DENY');
  expect(headers['referrer-policy'], what).toBe(
    /^\/(share|calendar)\//.test(what)
      ? 'no-referrer'
      : /^\/(act|reset-password|confirm-email)\//.test(what)
        ? 'same-origin'
        : 'strict-origin-when-cross-origin',
  );
  expect(headers['cross-origin-opener-policy'], what).toBe('same-origin');
  expect(headers['cross-origin-resource-policy'], what).toBe('same-origin');
  expect(headers['x-request-id'], what).toMatch(/^[\da-f-]{36}$/);
  expect(headers['x-powered-by'], what).toBeUndefined();
}
