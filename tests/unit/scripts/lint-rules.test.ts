import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const RULES = path.resolve('scripts/lint-rules.mjs');
const LINTER = path.resolve('node_modules/.bin/oxlint');

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

describe('what is inside a library', () => {
  // Written in two parts, because the rule looks at this file, too.
  const context = ['__', 'remixContext'].join('');
  const zodConfig = ['__', 'zod_globalConfig'].join('');
  const everywhere = [
    "import cli from '@remix-run/dev/dist/cli.js';",
    "import { jsx } from 'react/cjs/react-jsx-runtime.production.min.js';",
    "export { a } from 'luxon/src/zone.js';",
    "export * from 'luxon/src/zone.js';",
    "await import('mongoose/lib/document.js');",
    "require.resolve('mongoose/lib/document.js');",
    "const a = require('mongoose/lib/document.js');",
    "const element = Symbol.for('react.element');",
    `window.${context}.state;`,
    `const script = 'window.${context}.close()';`,
    `const script = \`window.${context}.enqueue(\${a})\`;`,
    `globalThis.${zodConfig} = {};`,
    "import { Script } from 'node:vm';",
    "import vm from 'node:vm'; new vm.Script(text);",
    "import { subscribe } from 'node:diagnostics_channel';",
  ];
  const ofTheProduct = [
    "spawn('node', ['node_modules/@remix-run/dev/dist/cli.js']);",
    "const at = path.join(root, 'node_modules', name);",
    'const at = `node_modules/${name}`;',
    'Env.prototype.write = a;',
    'Model.prototype.inner.deep = a;',
    'Object.assign(Model.prototype, a);',
    "Object.defineProperty(Model.prototype, 'a', b);",
    'window.fetch = a;',
    'globalThis.fetch = a;',
    'globalThis.Date = a;',
    'const a = b as unknown as Model;',
    'const a = b as any as Model;',
  ];
  const valid = [
    "import { parse } from 'csv-parse/sync';",
    "import { createRoot } from 'react-dom/client';",
    "import { Client } from '@modelcontextprotocol/sdk/client/index.js';",
    "import { a } from '#app/domain/lib/a.ts';",
    "import { a } from '../lib/a.ts';",
    "import path from 'node:path';",
    "require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');",
    "const own = Symbol.for('vialbook.app-error');",
    "spawn('node', ['node_modules/.bin/vitest']);",
    "const at = path.join(root, 'node_modules', '.bin', name);",
    "const at = path.join(root, 'node_modules');",
    'const plain = Object.getPrototypeOf(a) === Object.prototype;',
    'const size = Array.prototype.slice.call(a).length;',
    'const answer = await window.fetch(a);',
    'const a = b as Model;',
    'const a: unknown = b;',
    "import { runInNewContext } from 'node:vm';",
  ];
  const each = (found: readonly string[]) => [...new Set(found)].toSorted();

  it('is rejected, and nothing else', () => {
    const found = rejected([...valid, ...everywhere, ...ofTheProduct], 'documented-interfaces');
    expect(each(found)).toEqual([...everywhere, ...ofTheProduct].toSorted());
  });

  it('is rejected in tests, too, which may stand in for the world around the product', () => {
    const all = [...valid, ...everywhere, ...ofTheProduct];
    const found = rejected(all, 'documented-interfaces', { standsIn: true });
    expect(each(found)).toEqual(everywhere.toSorted());
  });

  it('is looked for in the whole repository', () => {
    const config = readFileSync('.oxlintrc.json', 'utf8');
    expect(config.match(/"vialbook\/documented-interfaces": .*/g)).toEqual([
      '"vialbook/documented-interfaces": "error",',
      '"vialbook/documented-interfaces": ["error", { "standsIn": true }]',
    ]);
  });
});
