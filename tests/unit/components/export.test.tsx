import { describe, expect, it } from 'vitest';
import { ExportForm, type ExportValues } from '#app/features/export/export-form.tsx';
import { tagWith, tags, componentText } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

const DEFAULTS: ExportValues = {
  format: 'csv',
  types: ['calculations', 'compounds', 'schedules'],
  startDate: '2026-10-21',
  endDate: '2026-11-20',
  includeMetadata: true,
};
const form = (premium: boolean, values = DEFAULTS, extra = {}) =>
  renderPage(
    <ExportForm
      action="/dashboard/export"
      cancelHref="/dashboard"
      premium={premium}
      values={values}
      {...extra}
    />,
  );
const types = (html: string) => tags(html, 'input').filter((tag) => tag['name'] === 'types');

describe('the export form', () => {
  it('posts the names that clients rely on', () => {
    const html = form(false);
    expect(tags(html, 'form')[0]).toMatchObject({ method: 'post', action: '/dashboard/export' });
    const formats = tags(html, 'input').filter((tag) => tag['name'] === 'format');
    expect(formats.map((tag) => tag['value'])).toEqual(['csv', 'json', 'pdf']);
    expect(formats.map((tag) => 'checked' in tag)).toEqual([true, false, false]);
    expect(tagWith(html, 'input', 'name', 'startDate')).toMatchObject({ type: 'date', value: '2026-10-21' });
    expect(tagWith(html, 'input', 'name', 'endDate')['value']).toBe('2026-11-20');
    expect(tagWith(html, 'input', 'name', 'includeMetadata')['checked']).toBe('');
  });

  it('locks and marks what free users cannot export', () => {
    const html = form(false, { ...DEFAULTS, types: ['calculations', 'nutrition'] });
    expect(types(html).map((tag) => [tag['value'], 'checked' in tag, 'disabled' in tag])).toEqual([
      ['calculations', true, false],
      ['lots', false, false],
      ['compounds', false, false],
      ['schedules', false, false],
      ['doses', false, true],
      ['nutrition', false, true],
      ['sideEffects', false, true],
      ['injectionSites', false, true],
      ['measurements', false, true],
      ['supplies', false, false],
    ]);
    for (const label of [
      'Doses taken (Pro)',
      'Nutrition (Pro)',
      'Side effects (Pro)',
      'Injection sites (Pro)',
      'Health (Pro)',
    ]) {
      expect(componentText(html)).toContain(label);
    }
  });

  it('locks nothing for premium users', () => {
    const html = form(true);
    expect(types(html).some((tag) => 'disabled' in tag)).toBe(false);
    expect(html).not.toContain('(Pro)');
  });

  it('ends with Export, which works without scripts even if nothing is chosen', () => {
    const html = form(
      false,
      { ...DEFAULTS, types: [] },
      { errors: { types: ['Select at least one data type.'] } },
    );
    const button = /<button[^>]*>Export<\/button>/.exec(html)?.[0] ?? '';
    expect(button).toContain('type="submit"');
    expect(button).not.toContain('disabled');
    expect(tagWith(html, 'fieldset', 'aria-describedby', 'types-error')).toBeDefined();
    expect(componentText(html)).toContain('Select at least one data type.');
  });

  it('shows the server’s message for the whole form', () => {
    const message = 'No data found for the selected criteria and date range.';
    const html = form(false, DEFAULTS, { formErrors: [message] });
    expect(html).toContain('role="alert"');
    expect(componentText(html)).toContain(message);
  });
});
