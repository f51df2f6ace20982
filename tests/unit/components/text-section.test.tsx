import { expect, it } from 'vitest';
import { TextSection } from '#app/ui/text-section.tsx';
import { renderPage } from './render-page.tsx';

it('a column of figures wraps texts about several components, and keeps a single figure on one line', () => {
  const blend = 'BPC-157 2.50 mg/ml + Thymosin beta-4 fragment 2.50 mg/ml + GHK-Cu 25.0 mg/ml';
  const html = renderPage(
    <TextSection
      title="Vials"
      columns={[{ label: 'Compound' }, { label: 'Concentration', numeric: true }]}
      rows={[
        ['Together', blend],
        ['BPC-157', '2.50 mg/ml'],
      ]}
      nothing="None"
    />,
  );
  expect(html).toContain(`<span class="wrap-anywhere whitespace-normal">${blend}</span>`);
  expect(html).toMatch(/<td[^>]*class="num figure"[^>]*>2\.50 mg\/ml<\/td>/);
});
