import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { ErrorPage, PremiumOnly, RouteErrorPage, NotFound } from '#app/ui/errors/error-pages.tsx';
import { AdminDataError } from '#app/features/admin/index.ts';
import { tagWith, componentText } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

const text = (element: ReactElement) => componentText(renderPage(element, '/dashboard/x?y=1'));

describe('error pages', () => {
  it('404 has its title and a link to the home page', () => {
    const html = renderPage(<NotFound />);
    expect(html).toMatch(/<h1>404 - Page Not Found<\/h1>/);
    expect(tagWith(html, 'a', 'href', '/')).toBeDefined();
  });

  it('a failed part offers to refresh and to retry', () => {
    const words = text(<ErrorPage href="/here" />);
    for (const part of ['Something went wrong', 'Refresh Page', 'Try Again']) expect(words).toContain(part);
  });

  it('a failed application shows a message without router or shell', () => {
    const html = renderPage(<RouteErrorPage status={500} />, '/dashboard/x?y=1');
    expect(componentText(html)).toContain(
      'Application Error: Something went wrong. Please refresh the page.',
    );
    expect(tagWith(html, 'a', 'href', '/dashboard/x?y=1')).toBeDefined();
  });

  it('an admin page without its data offers to load it again', () => {
    const html = renderPage(<AdminDataError />, '/admin/dashboard?y=1');
    const words = componentText(html);
    for (const part of ['Error loading admin data', 'Failed to load admin stats', 'Retry'])
      expect(words).toContain(part);
    expect(tagWith(html, 'a', 'href', '/admin/dashboard?y=1')).toBeDefined();
  });

  it('a locked area links to the plans', () => {
    const html = renderPage(<PremiumOnly />);
    expect(componentText(html)).toContain('Premium users only');
    expect(tagWith(html, 'a', 'href', '/upgrade')).toBeDefined();
  });

  it('the last boundary chooses the page by status and message', () => {
    expect(text(<RouteErrorPage status={404} />)).toContain('404 - Page Not Found');
    expect(text(<RouteErrorPage status={403} message="Premium users only" />)).toContain('Upgrade to Pro');
    expect(text(<RouteErrorPage status={429} message="Wait a minute." />)).toContain('Wait a minute.');
  });
});
