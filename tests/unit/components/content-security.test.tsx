import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LandingSections } from '#app/features/site/landing-sections.tsx';
import { renderCalculator, FIVE_IN_TWO } from './calculator-fixture.tsx';

const folder = new URL('../../../app', import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.tsx'),
);

/** Files that may set raw HTML: only from our own components without user data, whose output is checked below. */
const SETS_OWN_HTML = ['features/site/landing.tsx'];

/** `style-src 'self'` and nonced scripts: a style attribute, a style element or an inline handler would be dropped. */
describe('the content security policy', () => {
  it.each(files)('%s has no style attribute or element and sets no raw HTML', (name) => {
    const source = readFileSync(path.join(folder, name), 'utf8');
    expect(source).not.toMatch(/\bstyle=|<style|\.style\./);
    expect(source.includes('dangerouslySetInnerHTML')).toBe(SETS_OWN_HTML.includes(name));
  });

  it('allows everything the server renders for the home page', () => {
    const html = renderToStaticMarkup(
      <LandingSections site={{ origin: '', isSelling: true, hasSignUp: true }} />,
    );
    expect(html).toContain('<h2');
    expect(html).not.toMatch(/ style="| on\w+="|<script|<style/);
  });

  it('allows everything in the calculator', () => {
    const html = renderCalculator(FIVE_IN_TWO);
    expect(html).not.toMatch(/ style="| on\w+="/);
  });
});
