import { describe, expect, it } from 'vitest';
import { helpHref, isHelpShown, withoutHelp } from '#app/ui/shell/page-frame.tsx';
import { meaningOf, SHORTCUTS, Shortcuts } from '#app/ui/shell/shortcuts.tsx';
import { componentText } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

describe('a shortcut key', () => {
  it('opens the list, goes to search, or after g opens a page', () => {
    expect(meaningOf('?', null)).toBe('help');
    expect(meaningOf('/', null)).toBe('search');
    expect(meaningOf('v', 'g')).toEqual({ to: '/dashboard/vials' });
  });

  it('does nothing otherwise', () => {
    expect(meaningOf('v', null)).toBeNull();
    expect(meaningOf('x', 'g')).toBeNull();
    expect(meaningOf('g', null)).toBeNull();
  });

  it('has only one meaning', () => {
    expect(new Set(SHORTCUTS.map(({ keys }) => keys)).size).toBe(SHORTCUTS.length);
  });
});

describe('the list of keys', () => {
  it('opens over any page and keeps the rest of its address', () => {
    const href = helpHref('/calculator', '?peptideAmount=5');
    expect(href).toBe('/calculator?peptideAmount=5&help=keys');
    expect(isHelpShown('?peptideAmount=5&help=keys')).toBe(true);
    expect(withoutHelp('/calculator', '?peptideAmount=5&help=keys')).toBe('/calculator?peptideAmount=5');
    expect(withoutHelp('/calculator', '?help=keys')).toBe('/calculator');
  });

  it('is a server-rendered dialog, shown only at its address', () => {
    const html = renderPage(<Shortcuts />, '/calculator?help=keys');
    expect(html).toContain('<dialog open=""');
    expect(componentText(html)).toContain('Keyboard shortcuts');
    expect(componentText(html)).toContain('g then v Vials');
    expect(renderPage(<Shortcuts />, '/calculator')).toBe('');
  });
});
