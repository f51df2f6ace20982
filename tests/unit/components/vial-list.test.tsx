import { describe, expect, it } from 'vitest';
import type { VialRow } from '#app/domain/vials/vial-texts.ts';
import { VialList } from '#app/features/vials/index.ts';
import { componentText, screenOf } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

const row = (id: string, change: Partial<VialRow> = {}): VialRow => ({
  id,
  name: 'BPC-157',
  status: 'in_use',
  statusText: 'In use',
  unit: 'mg',
  strengthUnit: 'mg/ml',
  formText: null,
  remainingText: '3.75',
  totalText: '5',
  percent: 75,
  strengthText: '2.5',
  parts: [],
  isLow: false,
  overdrawnText: null,
  date: { state: 'good', text: 'Use by 29 Mar 2026' },
  lot: null,
  lotId: null,
  ...change,
});

const sealed = (id: string, change: Partial<VialRow> = {}) =>
  row(id, {
    ...{ status: 'sealed', statusText: 'Sealed', remainingText: '5', strengthText: null },
    date: { state: 'unknown', text: 'No date yet' },
    ...change,
  });

const list = (rows: VialRow[], sort: 'expiry' | 'name' = 'expiry') =>
  renderPage(
    <VialList
      rows={rows}
      query={{ search: '', filter: 'active', sort }}
      page={1}
      previousHref={null}
      nextHref={null}
    />,
  );

const namesIn = (html: string) =>
  screenOf(html)
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);

describe('the list of vials', () => {
  const rows = [sealed('a'), row('b', { name: 'TB-500' }), sealed('c'), sealed('d', { totalText: '10' })];

  it('puts vials in use first, and sealed ones that are alike into one line that opens', () => {
    const html = list(rows);
    expect(namesIn(html)).toEqual(['TB-500', 'BPC-157 × 2 sealed', 'BPC-157']);
    for (const { id } of rows) expect(html).toContain(`href="/dashboard/vials/${id}"`);
  });

  it('lists them one by one in every other order', () => {
    expect(namesIn(list(rows, 'name'))).toEqual(['BPC-157', 'TB-500', 'BPC-157', 'BPC-157']);
  });

  it('has no words that say that there is nothing to say', () => {
    const text = componentText(list([sealed('a')]));
    expect(text).not.toMatch(/No date yet|Not reconstituted|Concentration/);
    expect(text).toContain('5 mg of 5 mg');
  });
});
