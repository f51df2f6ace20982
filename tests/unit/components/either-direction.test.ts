import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const app = new URL('../../../app', import.meta.url).pathname;
const files = (folder: string, end: RegExp) =>
  readdirSync(path.join(app, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => end.test(name))
    .map((name) => path.join(folder, name));
const read = (name: string) => readFileSync(path.join(app, name), 'utf8');

const PHYSICAL_PROPERTY =
  /(?:^|[\s;{])((?:(?:scroll-)?(?:margin|padding)|border)-(?:left|right)(?:-\w+)?|left|right|border-(?:top|bottom)-(?:left|right)-radius)\s*:/gm;
const PHYSICAL_VALUE = /(?:text-align|float|clear)\s*:\s*(left|right)\b/g;
/** Tailwind's utilities, with or without a variant prefix. */
const PHYSICAL_UTILITY =
  /(?:["'`\s:]|^)(-?(?:(?:scroll-)?[mp][lr]|left|right|border-[lr]|rounded-(?:[lr]|[tb][lr]))(?:-(?:\d[\w./]*|auto|px|full|\[[^\]]+\]|sm|md|lg|xl|none)|(?=["'`\s]))|text-(?:left|right)|float-(?:left|right))(?=["'`\s])/g;
const CLASSES = /className=(?:"([^"]*)"|\{`([^`]*)`\}|\{[^}]*\})/g;

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, what]) => what);
const utilities = (source: string) =>
  [...source.matchAll(CLASSES)].flatMap(([classes]) => found(classes, PHYSICAL_UTILITY));

describe('styles use start and end, so that they fit right-to-left scripts', () => {
  it.each(files('styles', /\.css$/))('%s', (name) => {
    const css = read(name).replaceAll(/\/\*[^]*?\*\//g, '');
    expect([...found(css, PHYSICAL_PROPERTY), ...found(css, PHYSICAL_VALUE)]).toEqual([]);
  });

  it('classes in components and routes', () => {
    const sources = [
      ...files('features', /\.tsx$/),
      ...files('ui', /\.tsx$/),
      ...files('offline', /\.tsx$/),
      ...files('routes', /\.tsx$/),
      'root.tsx',
    ];
    expect(sources.length).toBeGreaterThan(200);
    const wrong = sources.map((name) => [name, utilities(read(name))] as const);
    expect(wrong.filter(([, which]) => which.length > 0)).toEqual([]);
  });

  it('the search finds left and right', () => {
    expect(found('a { margin-left: auto; right: 0; padding-right: 1px }', PHYSICAL_PROPERTY)).toEqual([
      'margin-left',
      'right',
      'padding-right',
    ]);
    expect(found('p { text-align: right }', PHYSICAL_VALUE)).toEqual(['right']);
    expect(utilities('<p className="ml-auto sm:-mr-2 text-right rounded-tl-lg ms-2">')).toEqual([
      'ml-auto',
      '-mr-2',
      'text-right',
      'rounded-tl-lg',
    ]);
    expect(found('.a { margin-inline-start: 1px; inset-inline-end: 0 }', PHYSICAL_PROPERTY)).toEqual([]);
  });
});
