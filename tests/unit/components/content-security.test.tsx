import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderCalculator, FIVE_IN_TWO } from './calculator-fixture.tsx';

const folder = new URL('../../../app', import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.tsx'),
);

/** `style-src 'self'` and nonced scripts: a style attribute, a style element or an inline handler would be dropped. */
describe('nothing the content security policy would drop', () => {
  it.each(files)('%s has no style attribute or element and sets no raw HTML', (name) => {
    const source = readFileSync(path.join(folder, name), 'utf8');
    expect(source).not.toMatch(/\bstyle=|<style|dangerouslySetInnerHTML|\.style\./);
  });

  it('comes out of the calculator either', () => {
    const html = renderCalculator(FIVE_IN_TWO);
    expect(html).not.toMatch(/ style="| on\w+="/);
  });
});
