import { RuleTester } from 'eslint';
import { describe, it } from 'vitest';
import vialbook from '../../../scripts/lint-rules.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const inside = (code: string) => `async function f(list, a, b) { ${code} }`;

new RuleTester().run('a loop over promises that run already', vialbook.rules['no-loop-over-promises'], {
  valid: [
    'for (const call of [a, b]) await call();',
    'for await (const one of list) await one;',
    'for (const [name, call] of list) await expect(call(), name).rejects.toThrow();',
    'for (const name of list) await expect(a(name), name).rejects.toThrow();',
    'for (const { then } of list) b(then);',
    'for (const call of list) call.now().then(b);',
  ].map(inside),
  invalid: [
    'for (const attempt of [a(), b()]) await attempt;',
    'for (const attempt of [a(), b()]) await expect(attempt).rejects.toThrow();',
    'const all = list.map(a); for (const one of all) { if (b) await expect(one).resolves.toBe(1); }',
    'for (const [name, attempt] of list) await expect(attempt, name).rejects.toThrow();',
    'for (const attempt of list) attempt.catch(b);',
    'for (const { running } of list) { const found = await running; }',
  ].map((code) => ({ code: inside(code), errors: [{ messageId: 'running' }] })),
});
