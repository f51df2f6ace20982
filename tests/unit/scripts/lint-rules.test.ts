import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';
import vialbook from '../../../scripts/lint-rules.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const inside = (code: string) => `async function f(list, a, b) { ${code} }`;

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });

tester.run('a loop over promises that are already running', vialbook.rules['no-loop-over-promises'], {
  valid: [
    'for (const call of [a, b]) await call();',
    'for await (const one of list) await one;',
    'for (const [name, call] of list) await expect(call(), name).rejects.toThrow();',
    'for (const name of list) await expect(a(name), name).rejects.toThrow();',
    'for (const { then } of list) b(then);',
    'for (const call of list) call.now().then(b);',
    'for (const act of [() => a(), () => b()]) await codeOf(act);',
    'for (const answer of [await a(), await b()]) await codeOf(answer);',
    'for (const text of [a(), b()]) expect(text).toBe(1);',
    'for (const at of [a(), b()]) await visit(`${at}/edit`);',
    'for (const { at } of [a(), b()]) await visit(list[at]);',
    'for (const size of [1, a()]) await visit(size);',
    'for (const one of list) await codeOf(one);',
    'const texts = [a(), b()]; for (const text of texts) await codeOf(text);',
    'for (const one of [a(), b()]) list.push(async () => 1, one);',
  ].map(inside),
  invalid: [
    'for (const attempt of [a(), b()]) await attempt;',
    'for (const attempt of [a(), b()]) await expect(attempt).rejects.toThrow();',
    'const all = list.map(a); for (const one of all) { if (b) await expect(one).resolves.toBe(1); }',
    'for (const [name, attempt] of list) await expect(attempt, name).rejects.toThrow();',
    'for (const attempt of list) attempt.catch(b);',
    'for (const act of [a(), b()]) await codeOf(act);',
    'for (const act of [a(1), b(2)]) { expect(await codeOf(act)).toBe(1); }',
    'for (const act of [a(), b()]) { if (list) await expect(codeOf(act)).resolves.toBe(1); }',
    'for (const act of [a(), list.b()] as const) await codeOf(act);',
    'for (const { running } of list) { const found = await running; }',
  ].map((code) => ({ code: inside(code), errors: [{ messageId: 'running' }] })),
});
