import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const RULES = path.resolve('scripts/lint-rules.mjs');
const LINTER = path.resolve('node_modules/oxlint/bin/oxlint');

const folder = mkdtempSync(path.join(os.tmpdir(), 'vialbook-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Which of these files' contents the linter objects to with one of our rules. */
function rejected(contents: readonly string[], rule: string, ...options: object[]): string[] {
  const config = path.join(folder, 'oxlint.json');
  const jsPlugins = [RULES];
  const rules = { [`vialbook/${rule}`]: ['error', ...options] };
  writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, jsPlugins, rules }));
  const files = contents.map((content, index) => {
    const file = path.join(folder, `${index}.ts`);
    writeFileSync(file, content);
    return file;
  });
  const args = [LINTER, '-c', config, '-f', 'json', ...files];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  const { diagnostics, number_of_files } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[];
    number_of_files: number;
  };
  expect(number_of_files).toBe(files.length);
  expect([...new Set(diagnostics.map(({ code }) => code))]).toEqual([`vialbook(${rule})`]);
  return diagnostics.map(({ filename }) => contents[Number(path.basename(filename, '.ts'))] ?? filename);
}

const inside = (code: string) => `async function f(list, a, b) { ${code} }`;

describe('a loop over promises that are already running', () => {
  const valid = [
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
  ].map(inside);
  const invalid = [
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
  ].map(inside);

  it('is rejected, and no other loop', () => {
    const found = rejected([...valid, ...invalid], 'no-loop-over-promises');
    expect(found.toSorted()).toEqual(invalid.toSorted());
  });
});

it('syntax that is restricted is rejected, and no other', () => {
  const clock = {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'no',
  };
  const found = rejected(['a(Date.now());', 'Date.parse(now);'], 'no-restricted-syntax', clock);
  expect(found).toEqual(['a(Date.now());']);
});
