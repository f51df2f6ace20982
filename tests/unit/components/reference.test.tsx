import { describe, expect, it } from 'vitest';
import { ReferencePanel } from '#app/features/calculator/calculator-screen.tsx';
import { ResearchDosagesDialog } from '#app/features/calculator/research-dosages.tsx';
import { dosageRecommendations } from '#app/domain/calculator/research-reference.ts';
import {
  NO_REFERENCE,
  RESEARCH_DISCLAIMER,
  RESEARCH_NOTICE,
} from '#app/domain/calculator/reference-notices.ts';
import { FIVE_IN_TWO, resultOf } from './calculator-fixture.tsx';
import { within } from '@testing-library/dom';
import { componentText, screenOf, tags } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

describe('the research dosages dialog', () => {
  const html = renderPage(<ResearchDosagesDialog closeHref="/calculator?peptideAmount=5" />);

  it('is an open dialog with a title, the disclaimer and the four rows', () => {
    expect(tags(html, 'dialog')[0]).toMatchObject({ open: '', 'aria-labelledby': 'research-dosages-title' });
    const text = componentText(html);
    expect(text).toContain(RESEARCH_DISCLAIMER);
    for (const row of [
      'BPC-157 5 mg 250-500 mcg',
      'TB-500 5 mg 2-5 mg',
      'Semaglutide 5 mg 0.25-1 mg',
      'Ipamorelin 5 mg 200-300 mcg',
    ]) {
      expect(text).toContain(row);
    }
  });

  it('names the sources that its first sentence promises', () => {
    expect(RESEARCH_DISCLAIMER).toContain('from the sources named');
    expect(componentText(html)).toMatch(
      /BPC-157, TB-500 and ipamorelin.*semaglutide.*prescribing information/,
    );
  });

  it('closes with links', () => {
    const closing = tags(html, 'a').filter((tag) => tag['href'] === '/calculator?peptideAmount=5');
    expect(closing).toHaveLength(2);
    expect(closing[0]).toMatchObject({ 'aria-label': 'Close' });
  });
});

describe('the panel of the dosage reference', () => {
  const panel = (name: string, shown = true) =>
    renderPage(
      <ReferencePanel
        shown={shown}
        href="?r"
        dosagesHref="?d"
        name={name}
        rows={dosageRecommendations(name, resultOf(FIVE_IN_TWO))}
        choices={[{ name: 'TB-500', href: '?reference=TB-500' }]}
      />,
    );

  it('shows category, range, draw at this concentration and source, under the notice', () => {
    const text = componentText(panel('Semaglutide'));
    expect(text).toContain(RESEARCH_NOTICE);
    expect(text).toContain('starter 0.25 mg weekly, 4 weeks At this concentration: 0.100 ml (10 units)');
    expect(text).toContain('Source: US prescribing information, Ozempic and Wegovy.');
  });

  it('does not suggest more than the vial holds, and says why', () => {
    const text = componentText(panel('Tirzepatide'));
    expect(text).toContain('More than this vial holds (5 mg).');
    expect(text).not.toMatch(/6\.000 ml|600 units/);
  });

  it('says if there is no reference', () => {
    expect(componentText(panel('Unknownine'))).toContain(NO_REFERENCE);
  });

  it('has the link to the research dosages and the one that shows or hides the recommendations', () => {
    const region = (shown: boolean) =>
      within(screenOf(panel('Semaglutide', shown)).getByRole('region', { name: /^Dosage reference/ }));
    for (const shown of [true, false]) {
      const dosages = region(shown).getByRole('link', { name: 'Research dosages' });
      expect(dosages.getAttribute('href')).toMatch(/\?d$/);
      const toggle = region(shown).getByRole('link', {
        name: shown ? 'Hide recommendations' : 'Show recommendations',
      });
      expect(toggle.getAttribute('href')).toMatch(/\?r$/);
      expect(toggle.getAttribute('aria-expanded')).toBe(String(shown));
    }
    expect(componentText(panel('Semaglutide', false))).not.toContain('starter');
  });
});
