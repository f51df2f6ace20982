import { describe, expect, it } from 'vitest';
import { DeleteConfirm, HistoryList } from '#app/features/calculator/history-list.tsx';
import {
  FreeTierLimit,
  SessionOnlyBanner,
  HistoryToggle,
  UsageStatistics,
} from '#app/features/calculator/dashboard-calculator.tsx';
import { historyRow, type HistoryEntry } from '#app/domain/calculator/history.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { FIVE_IN_TWO, type Query } from './calculator-fixture.tsx';
import { screenOf, tagWith, tags, componentText } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

function entry(query: Query, createdAt = '2026-11-01T23:30:00Z'): HistoryEntry {
  const parsed = parseCalculationForm(query);
  if (!parsed.ok) throw new Error('fixture');
  return {
    ...parsed.input,
    id: 'calc_1a',
    userId: 'u1',
    createdAt: new Date(createdAt),
    type: 'reconstitution',
    concentration: 2.5,
    injectionVolume: 0.1,
    isSessionOnly: false,
  };
}

const named = historyRow(
  entry({ ...FIVE_IN_TWO, peptideName: 'BPC-157', notes: 'first\nsecond' }),
  'Europe/Berlin',
);
const unnamed = historyRow(entry(FIVE_IN_TWO), 'UTC');

const list = (rows = [named], search = '') =>
  renderPage(
    <HistoryList
      rows={rows}
      filter={{ action: '/dashboard/calculator', search, sort: 'name', keep: { history: '1' } }}
      deleteHref={(id) => `/dashboard/calculations/${id}/delete`}
      clearSearchHref="?history=1"
      nextHref="?history=1&page=2"
    />,
  );

describe('a history row', () => {
  it('is recalculated from the inputs, and dated in the user’s time zone', () => {
    expect(named).toMatchObject({
      peptideName: 'BPC-157',
      day: '2 Nov 2026',
      time: '00:30',
      concentrationText: '2.50',
      desiredDoseText: '0.25',
      drawText: '0.100 ml',
      summary: 'BPC-157: 5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)',
    });
    expect(unnamed).toMatchObject({ peptideName: null, notes: null, day: '1 Nov 2026', time: '23:30' });
  });

  it('shows name, date, amounts, concentration, dose = volume and notes, and links to a confirmation page', () => {
    const html = list();
    const text = componentText(html);
    expect(text).toContain('2 Nov 2026 00:30');
    expect(text).toContain('BPC-157');
    expect(text).toMatch(/5 mg in 2 ml .*2\.50 mg\/ml .*0\.25 mg = 0\.100 ml/);
    expect(html).toContain('first\nsecond');
    expect(tagWith(html, 'time', 'datetime', '2026-11-01T23:30:00.000Z')).toBeDefined();
    expect(tagWith(html, 'a', 'href', '/dashboard/calculations/calc_1a/delete')['aria-label']).toBe(
      'Delete BPC-157, 2 Nov 2026',
    );
  });
});

describe('the history list', () => {
  it('searches and sorts with a GET that keeps the history open', () => {
    const html = list([named], 'bpc');
    expect(tagWith(html, 'form', 'role', 'search')).toMatchObject({
      method: 'get',
      action: '/dashboard/calculator',
    });
    expect(tagWith(html, 'input', 'name', 'history')).toMatchObject({ type: 'hidden', value: '1' });
    expect(tagWith(html, 'input', 'name', 'search')['value']).toBe('bpc');
    expect(html).toContain('<option value="name" selected="">');
    expect(tags(html, 'option').map((tag) => tag['value'])).toEqual(['date', 'name', 'concentration']);
  });

  it('pages by links', () => {
    expect(tagWith(list(), 'a', 'rel', 'next')['href']).toContain('page=2');
  });

  it('explains what will be here while it is empty', () => {
    const text = componentText(list([]));
    expect(text).toContain('No calculations yet');
    expect(text).not.toContain('Sort by');
  });

  it('distinguishes an empty search from an empty history', () => {
    const text = componentText(list([], 'zzz'));
    expect(text).toContain('No match');
    expect(text).toContain('“zzz”');
    expect(text).not.toContain('No calculations yet');
  });
});

describe('the history section', () => {
  it('toggles with a link that shows the count', () => {
    expect(componentText(renderPage(<HistoryToggle shown={false} count={12} href="?history=1" />))).toBe(
      'Show History (12)',
    );
    expect(componentText(renderPage(<HistoryToggle shown count={12} href="?" />))).toBe('Hide History (12)');
    expect(renderPage(<HistoryToggle shown={false} count={0} href="?" />)).toBe('');
  });

  it('says what the free plan stores', () => {
    expect(componentText(renderPage(<SessionOnlyBanner />))).toContain('Free Tier - Session Only');
    const limit = renderPage(<FreeTierLimit count={10} />);
    expect(componentText(limit)).toContain('Free Tier Limit');
    expect(screenOf(limit).getByRole('link', { name: 'Upgrade' }).getAttribute('href')).toBe('/upgrade');
  });

  it('names the calculation before deleting it, and posts', () => {
    const html = renderPage(<DeleteConfirm row={named} action="/x" cancelHref="/back" />);
    expect(componentText(html)).toContain('Delete calculation for BPC-157?');
    expect(tagWith(html, 'form', 'action', '/x')['method']).toBe('post');
    expect(componentText(renderPage(<DeleteConfirm row={unnamed} action="/x" cancelHref="/b" />))).toContain(
      'Delete calculation for Unnamed?',
    );
  });

  it('shows usage counts', () => {
    const text = componentText(
      renderPage(
        <UsageStatistics total={3} uniqueNames={2} lastSevenDays={1} averageConcentrationText="2.17" />,
      ),
    );
    expect(text).toBe(
      'Usage Statistics Total calculations 3 Unique compounds 2 Last 7 days 1 Average concentration 2.17 mg/ml',
    );
  });
});
