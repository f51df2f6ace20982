import { describe, expect, it } from 'vitest';
import { CopyButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Figure, Measured } from '#app/ui/figure.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { Spinner } from '#app/ui/shell/loading.tsx';
import { ToastStack } from '#app/ui/toasts.tsx';
import { tags, componentText } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

describe('toasts', () => {
  const toasts = [
    { id: '1', type: 'success' as const, message: 'Saved' },
    { id: '2', type: 'error' as const, message: 'Failed' },
  ];
  const html = renderPage(<ToastStack toasts={toasts} closeHref="/dashboard?page=2" />);

  it('are announced: errors assertively, others politely', () => {
    expect(tags(html, 'div').flatMap((tag) => tag['role'] ?? [])).toEqual(['status', 'alert']);
  });

  it('close without scripts by reloading the page', () => {
    const links = tags(html, 'a');
    expect(links).toHaveLength(2);
    for (const link of links)
      expect(link).toMatchObject({ href: '/dashboard?page=2', 'aria-label': 'Close' });
  });

  it('offer what can be done: fields are sent by a form, the rest is a link', () => {
    const actions = [
      { label: 'Undo', to: '/doses/1', fields: { intent: 'undo' } },
      { label: 'Look', to: '/doses/1' },
    ];
    const page = renderPage(<ToastStack toasts={[{ ...toasts[0]!, actions }]} closeHref="/" />);
    expect(tags(page, 'form')).toMatchObject([{ method: 'post', action: '/doses/1' }]);
    expect(tags(page, 'input')).toMatchObject([{ type: 'hidden', name: 'intent', value: 'undo' }]);
    expect(tags(page, 'a').map(({ href }) => href)).toContain('/doses/1');
  });

  it('take no space if there are none', () => {
    expect(renderPage(<ToastStack toasts={[]} closeHref="/" />)).toBe('');
  });
});

describe('a dialog', () => {
  it('is open in the server’s page, named by its title and closed by a link', () => {
    const html = renderPage(
      <Dialog id="demo" title="Demo" closeHref="/">
        Soon
      </Dialog>,
    );
    expect(tags(html, 'dialog')[0]).toMatchObject({ open: '', 'aria-labelledby': 'demo-title' });
    expect(html).toContain('<h2 id="demo-title"');
    expect(tags(html, 'a')[0]).toMatchObject({ href: '/', 'aria-label': 'Close' });
  });
});

describe('figures', () => {
  it('keep number and unit on one line, separated by a normal space', () => {
    const html = renderPage(<Figure value="2.50" unit="mg/ml" />);
    expect(tags(html, 'span')[0]?.['class']).toContain('figure');
    expect(html.replace(/<[^>]+>/g, '')).toBe('2.50 mg/ml');
  });
});

describe('measured text', () => {
  it('keeps each number with its unit and changes no text', () => {
    const text = 'BPC-157: 5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)';
    const html = renderPage(<Measured text={text} />);
    expect(html.replace(/<[^>]+>/g, '')).toBe(text);
    expect([...html.matchAll(/<span class="unbroken">(.*?)<\/span>/g)].map(([, amount]) => amount)).toEqual([
      '5 mg',
      '2 ml',
      '2.50 mg/ml',
      '0.25 mg',
      '0.100 ml',
      '10 units',
    ]);
  });
});

describe('a table', () => {
  it('names its columns for the list it becomes on a phone', () => {
    const columns = [
      { key: 'name', label: 'Name', cell: (row: { name: string; mg: string }) => row.name },
      { key: 'mg', label: 'Amount', numeric: true, cell: (row: { name: string; mg: string }) => row.mg },
    ];
    const html = renderPage(
      <DataTable
        caption="Vials"
        columns={columns}
        rows={[{ name: 'TB-500', mg: '5 mg' }]}
        rowKey={(row) => row.name}
      />,
    );
    expect(html).toMatch(/<caption[^>]*>Vials<\/caption>/);
    expect(html).toContain('<th scope="row" data-label="Name">TB-500</th>');
    expect(tags(html, 'td')[0]).toMatchObject({ 'data-label': 'Amount', class: 'num figure' });
  });

  it('marks empty cells, which a phone leaves out', () => {
    const cells = ['5 mg', '–', '', null, 0];
    const html = renderPage(
      <DataTable
        caption="Vials"
        columns={[
          { key: 'name', label: 'Name', cell: (at: number) => String(at) },
          { key: 'cell', label: 'Cell', cell: (at: number) => cells[at] },
        ]}
        rows={cells.map((_, at) => at)}
        rowKey={String}
      />,
    );
    expect(tags(html, 'td').map((cell) => 'data-empty' in cell)).toEqual([false, true, true, true, false]);
  });
});

describe('pages', () => {
  it('are plain links, absent if there is only one page', () => {
    const html = renderPage(
      <Pagination label="Users" position="21–40" previousHref="?page=1" nextHref="?page=3" />,
    );
    expect(tags(html, 'a').map((tag) => tag['rel'])).toEqual(['prev', 'next']);
    expect(html).toContain('aria-label="Users, pages"');
    expect(renderPage(<Pagination label="Users" />)).toBe('');
  });
});

describe('a control that needs scripts', () => {
  it('is hidden without them', () => {
    expect(renderPage(<CopyButton text="x" />)).toBe('');
  });

  it('shows the text Loading...', () => {
    expect(componentText(renderPage(<Spinner />))).toBe('Loading...');
  });
});
