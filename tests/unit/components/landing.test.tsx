import { describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { DemoDialog } from '#app/features/site/demo-dialog.tsx';
import { LandingSections } from '#app/features/site/landing-sections.tsx';
import { Landing } from '#app/features/site/landing.tsx';
import { Privacy } from '#app/features/site/privacy.tsx';
import { storedLines } from '#app/domain/site/stored-data.ts';
import { Terms } from '#app/features/site/terms.tsx';
import { tagWith, tags, componentText } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

describe('the landing page', () => {
  const sections = renderToStaticMarkup(
    <LandingSections site={{ origin: '', isSelling: true, hasSignUp: true }} />,
  );
  const html = renderPage(<Landing sections={sections} hasDemo />, '/');
  const text = componentText(html);

  it('begins with a calculator that works without scripts', () => {
    expect(tags(html, 'form')[0]).toMatchObject({
      id: 'calculator',
      method: 'get',
      action: '/calculator#answer',
    });
    expect(html.indexOf('name="peptideAmount"')).toBeLessThan(html.indexOf('id="features"'));
  });

  it('names both plans with their prices and the trial without a card', () => {
    for (const words of ['$0', '$5 per month', '$30 per year', '14-day free trial', 'No card']) {
      expect(text).toContain(words);
    }
  });

  it('has features, pricing, upcoming features, a demo and links to sign in and register', () => {
    for (const id of ['features', 'pricing', 'coming-soon'])
      expect(tagWith(html, 'section', 'id', id)).toBeDefined();
    expect(tagWith(html, 'a', 'href', '/?demo=1')).toBeDefined();
    expect(html).toContain('href="/register?plan=trial"');
    expect(html).toContain('href="/login"');
    expect(tagWith(html, 'form', 'action', '/demo')).toMatchObject({ method: 'post' });
  });

  it('shows light and dark pictures, each with alt text and size, loaded only when they come into view', () => {
    const pictures = tags(html, 'img');
    expect(pictures).toHaveLength(3);
    for (const { src = '', alt = '', loading, width, height } of pictures) {
      expect(loading).toBe('lazy');
      expect([width, height]).toEqual(['1100', '688']);
      expect(alt.length).toBeGreaterThan(20);
      expect(html).toContain(src.replace('-light', '-dark'));
      for (const file of [src, src.replace('-light', '-dark')])
        expect(existsSync(`public${file}`)).toBe(true);
    }
  });

  it('has one h1', () => {
    expect(tags(html, 'h1')).toHaveLength(1);
  });
});

describe('the demo dialog', () => {
  it('says that a demo is coming and takes an address', () => {
    const html = renderPage(
      <DemoDialog
        action="/"
        closeHref="/"
        lastResult={{ initialValue: { email: 'x' }, error: { email: ['Enter a valid email address'] } }}
      />,
      '/',
    );
    expect(componentText(html)).toContain('A demo is coming soon.');
    expect(tagWith(html, 'input', 'name', 'email')).toMatchObject({ value: 'x', 'aria-invalid': 'true' });
  });

  it('offers the demo while its flag is on', () => {
    const html = renderPage(<DemoDialog action="/" closeHref="/" hasDemo />, '/');
    expect(componentText(html)).not.toContain('coming soon');
    expect(tagWith(html, 'form', 'action', '/demo')).toBeDefined();
    expect(tagWith(html, 'input', 'name', 'email')).toBeDefined();
  });

  it('says thanks and hides the form', () => {
    const html = renderPage(<DemoDialog action="/" closeHref="/" lastResult={{ status: 'success' }} />, '/');
    expect(html).toContain('role="status"');
    expect(html).not.toContain('<form');
  });
});

describe('legal texts', () => {
  it.each([
    ['Terms of Service', <Terms key="t" />, /research reference only/i],
    ['Privacy Policy', <Privacy key="p" stored={storedLines(true)} />, /no tracker/],
  ])('%s is a real text with headings', (title, element, words) => {
    const html = renderPage(element);
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(tags(html, 'h2').length).toBeGreaterThan(4);
    expect(componentText(html)).toMatch(words);
  });

  it('the privacy policy names everything that is stored, for how long, and what happens after a breach', () => {
    const text = componentText(renderPage(<Privacy stored={storedLines(true)} />));
    for (const words of [
      'Doses (health data)',
      'Pictures of side effects (health data)',
      'Push addresses of your browsers',
      'Vendors, products and orders',
      'Access log',
      'Kept: Until you delete it or your account.',
      'within 72 hours',
    ])
      expect(text).toContain(words);
  });
});
