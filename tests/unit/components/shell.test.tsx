import { describe, expect, it } from 'vitest';
import { DashboardShell, trialText } from '#app/ui/shell/dashboard-shell.tsx';
import { dashboardEntries } from '#app/ui/shell/navigation.tsx';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { screenOf, tagWith, tags, componentText } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

const EMAIL = 'someone@example.org';
const shell = (premium: boolean, trialDaysLeft?: number, address = '/dashboard') =>
  renderPage(
    <DashboardShell
      email={EMAIL}
      premium={premium}
      trialDaysLeft={trialDaysLeft}
      entries={dashboardEntries(premium, true)}
      notice={RESEARCH_NOTICE}
    >
      <h1>Page</h1>
    </DashboardShell>,
    address,
  );

describe('the bar of a phone', () => {
  const bar = (address: string) =>
    /<nav aria-label="Quick navigation".*?<\/nav>/s.exec(shell(true, undefined, address))?.[0] ?? '';

  it('has four areas and "More", which is marked on the pages behind it', () => {
    const labels = [...bar('/dashboard').matchAll(/class="bar-item".*?<span>(.*?)<\/span>/gs)].map(
      ([, name]) => name,
    );
    expect(labels).toEqual(['Calculator', 'Vials', 'Schedule', 'Tracking', 'More']);
    const more = (address: string) => /<summary[^>]*>/.exec(bar(address))?.[0];
    expect(more('/dashboard/vendors/orders')).toContain('aria-current="true"');
    expect(more('/dashboard/vials')).not.toContain('aria-current');
  });
});

const linkTo = (html: string, name: string) =>
  screenOf(html).getByRole('link', { name }).getAttribute('href');

describe('the dashboard of a free user', () => {
  const html = shell(false);
  const text = componentText(html);

  it('shows the whole email, badge, export, upgrade and sign-out', () => {
    expect(html).toContain(`Welcome, ${EMAIL}<`);
    expect(text).toMatch(/Vialbook Free/);
    expect(tagWith(html, 'a', 'href', '/dashboard/export')).toBeDefined();
    expect(linkTo(html, 'Upgrade to Pro')).toBe('/upgrade');
    expect(tagWith(html, 'form', 'action', '/logout')['method']).toBe('post');
    expect(screenOf(html).getByRole('button', { name: 'Sign out' }).getAttribute('type')).toBe('submit');
    expect(linkTo(html, 'Vialbook')).toBe('/dashboard');
  });

  it('has the account in a menu that opens without scripts', () => {
    const screen = screenOf(html);
    const menu = screen.getByRole('button', { name: 'Account' }).getAttribute('popovertarget') ?? '';
    expect(tagWith(html, 'div', 'id', menu)).toMatchObject({ popover: 'auto' });
  });

  it('lists the premium areas greyed out, labelled and not as links', () => {
    for (const area of ['tracking', 'schedule', 'analytics', 'vendors']) {
      expect(html).not.toContain(`href="/dashboard/${area}"`);
    }
    const nav = /<nav aria-label="Dashboard".*?<\/nav>/s.exec(html)?.[0] ?? '';
    expect(nav.split('Pro Only')).toHaveLength(5);
    expect(nav.split('Premium users only')).toHaveLength(5);
    expect(componentText(nav)).toContain('Vendors Pro Only supplier and inventory');
  });

  it('marks the calculator as current on /dashboard and on its own address', () => {
    for (const address of ['/dashboard', '/dashboard/', '/dashboard/calculator']) {
      const current = tags(shell(false, undefined, address), 'a').filter(
        (tag) => tag['aria-current'] === 'page',
      );
      expect(current.map((tag) => tag['href'])).toEqual(['/dashboard/calculator', '/dashboard/calculator']);
    }
    expect(shell(false, undefined, '/dashboard/export')).not.toContain('aria-current');
  });

  it('starts with the skip link and has the notice', () => {
    expect(tags(html, 'a')[0]).toMatchObject({ href: '#main' });
    expect(html).toContain('<main id="main"');
    expect(text).toContain(RESEARCH_NOTICE);
  });
});

describe('the dashboard of a premium user', () => {
  it('has the badge and no upgrade link, and lists only existing pages', () => {
    const html = shell(true);
    expect(componentText(html)).toMatch(/Vialbook Pro/);
    expect(html).not.toContain('/upgrade');
    expect(html).not.toContain('Pro Only');
    expect(dashboardEntries(true, true).some((entry) => entry.locked)).toBe(false);
  });

  it('shows the days left of a trial in a link to the plans', () => {
    const html = shell(true, 9);
    expect(linkTo(html, 'Trial: 9 days left')).toBe('/upgrade');
    expect(html).not.toContain('Upgrade to Pro');
    expect(trialText(1)).toBe('Trial: 1 day left');
  });
});

describe('the public frame', () => {
  it('links visitors to sign-in and trial, and has the notice', () => {
    const html = renderPage(<PublicShell notice={RESEARCH_NOTICE}>x</PublicShell>);
    expect(tagWith(html, 'a', 'href', '/login')).toBeDefined();
    expect(tagWith(html, 'a', 'href', '/register?plan=trial')).toBeDefined();
    for (const page of ['/terms', '/privacy']) expect(tagWith(html, 'a', 'href', page)).toBeDefined();
    expect(componentText(html)).toContain(RESEARCH_NOTICE);
  });

  it('links signed-in users back to the dashboard', () => {
    const html = renderPage(
      <PublicShell notice={RESEARCH_NOTICE} signedIn>
        x
      </PublicShell>,
    );
    expect(html).toContain('>Dashboard</a>');
    expect(html).not.toContain('/login');
  });
});
