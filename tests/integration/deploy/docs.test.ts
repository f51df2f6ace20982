import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_VERSION } from '#app/platform/api/operation.ts';
import { environmentSchema } from '#app/domain/settings/settings.ts';
import { doseOperations } from '#app/features/doses/api.server.ts';

/** Three screens. */
const README_LINES = 125;
const PICTURE_BYTES = 400_000;

const pages = [
  'README.md',
  'models/engine/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];
const read = (page: string): string => readFileSync(page, 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

/** GitHub's anchors for the headings of a page. */
const anchorsOf = (page: string): string[] =>
  matches(read(page), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Files and folders of the repository named in a page. */
const filesNamedIn = (text: string): string[] =>
  matches(text, /`((?:app|bench|cli|deploy|models|scripts|tests)\/[\w./$[\]-]+)`/g);

it('the README fits on three screens, and its pictures are small', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(README_LINES);
  const files = readdirSync('docs/pictures').map((name) => path.join('docs/pictures', name));
  const shown = matches(read('README.md'), /<img src="([^"]+)"/g);
  expect(files.toSorted()).toEqual(shown.toSorted());
  const bytes = files.reduce((total, file) => total + statSync(file).size, 0);
  expect(bytes).toBeLessThanOrEqual(PICTURE_BYTES);
});

it('the list of changes of the API begins with the day that every answer names', () => {
  expect(matches(read('docs/api-changes.md'), /^## (.+)$/gm)[0]).toBe(API_VERSION);
});

it('every page in docs is reachable from the README', () => {
  const reached = new Set(['README.md']);
  for (const page of reached)
    for (const link of matches(read(page), /\]\(([^)#:]+\.md)(?:#[^)]*)?\)/g))
      reached.add(path.join(path.dirname(page), link));
  expect(pages.filter((page) => !reached.has(page))).toEqual([]);
});

/** The names that a product file exports or re-exports. */
const exportsOf = (file: string): string[] => [
  ...matches(read(file), /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm),
  ...matches(read(file), /^export (?:type )?\{([^}]*)\}/gm).flatMap((names) =>
    matches(names, /(\w+)(?=\s*(?:,|$))/g),
  ),
];

it('benches and scripts import only what the product exports', () => {
  const files = ['bench', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => path.join(folder, name)),
  );
  const taken = files.flatMap((file) =>
    [...read(file).matchAll(/(?:export|import) \{([^}]*)\} from ['"]#((?:app|models|cli)\/[^'"]+)['"]/g)].map(
      ([, names = '', target = '']) => ({
        file,
        target,
        names: matches(names, /(\w+)(?:\s+as\s+\w+)?(?=\s*(?:,|$))/g),
      }),
    ),
  );
  expect(taken.length).toBeGreaterThan(20);
  const missing = taken.flatMap(({ file, target, names }) =>
    existsSync(target)
      ? names
          .filter((name) => !exportsOf(target).includes(name))
          .map((name) => `${file}: ${name} of ${target}`)
      : [`${file}: ${target}`],
  );
  expect(missing).toEqual([]);
});

it('every promise about security names an existing test', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| .+ \| `(tests\/[^`]+)` "([^"]+)" \|$/gm)];
  const promises = read('docs/security.md').match(/^\| (?!promise )[^-|].*\|$/gm) ?? [];
  expect(rows.length).toBe(promises.length);
  expect(rows.length).toBeGreaterThan(25);
  const missing = rows.filter(
    ([, file = '', title = '']) => !existsSync(file) || !read(file).includes(title),
  );
  expect(missing.map(([, file, title]) => `${file}: ${title}`)).toEqual([]);
});

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('links only to pages and headings that exist', () => {
    const broken = matches(text, /\]\(([^):]+)\)/g).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('names only files, folders and scripts that exist', () => {
    expect(filesNamedIn(text).filter((file) => !existsSync(file))).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(matches(text, /\bnpm run ([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
    const benches = matches(text, /\bnpm run bench -- ([\w-]+)/g).filter(
      (name) => !['NAME', 'all'].includes(name),
    );
    expect(benches.filter((name) => !read('bench/run.mjs').includes(name))).toEqual([]);
  });
});

it('docs/how-to-add.md names only functions and constants in the files it names', () => {
  const text = read('docs/how-to-add.md');
  const files = filesNamedIn(text).filter((file) => statSync(file).isFile());
  const code = files.map((file) => read(file)).join('\n');
  const names = matches(text, /`([A-Za-z]+[A-Z]\w*)(?:\([^`]*\))?`/g);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});

it('docs/settings.md lists every setting and no other', () => {
  const rows = matches(read('docs/settings.md'), /^\| ([^|]+) \|/gm);
  const listed = rows.flatMap((row) => matches(row, /`([A-Z_]+)`/g));
  const settings = Object.keys(environmentSchema.shape).filter((name) => name !== 'NODE_ENV');
  expect(listed.toSorted()).toEqual(settings.toSorted());
});

it('the examples for home screens read only fields that the day document has', () => {
  const page = read('docs/home-screens.md');
  const shown = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '') as object;
  const today = doseOperations.find(({ id }) => id === 'getToday');
  const fields = Object.keys(today?.response.shape ?? {});
  expect(Object.keys(shown)).toEqual(fields);
  const taken = matches(page, /\b(?:\.data|value_json\.data|today)\.(\w+)/g);
  expect(new Set(taken)).toEqual(new Set(['nextDose', 'overdue', 'lowStock']));
  expect(fields).toEqual(expect.arrayContaining(taken));
});
