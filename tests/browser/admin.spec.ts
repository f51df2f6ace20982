import { mkdirSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { openTestDatabase, TERMINAL } from '#tests/support/database.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { signUp } from './journey.ts';

let admins = 0;

/** A super admin, made at the terminal of the server under test. */
async function newSuperAdmin(): Promise<string> {
  admins += 1;
  const email = `boss-${process.pid}-${admins}@example.org`;
  const database = await openTestDatabase({ directory: inject('serverDataDir') });
  try {
    await createAdmin(database.ctx(TERMINAL), { email, password: PASSWORD, role: 'super_admin' });
  } finally {
    await database.dispose();
  }
  return email;
}

/** Looks at a page: sound for everybody, and kept as a picture when `SHOTS` names a folder. */
async function look(page: Page, name: string, { scripts, width }: { scripts: boolean; width: number }) {
  const folder = process.env['SHOTS'];
  if (folder) {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({
      path: `${folder}/${name}-${width}-${scripts ? 'js' : 'plain'}.png`,
      fullPage: true,
    });
  }
  await expectSoundPage(page, name, scripts);
}

const mainText = (page: Page) => page.locator('main').innerText();

describe.each([
  { scripts: true, ...PHONE, dark: true },
  { scripts: false, ...DESKTOP },
])('the admin area, scripts $scripts, $width px', (view) => {
  it('every change to a user takes effect at the next click and is in the audit trail and access log', async () => {
    const user = await openPage(view);
    const { page, context, problems } = await openPage(view);
    const email = await signUp(user.context);
    const boss = await newSuperAdmin();

    await page.goto('/admin/dashboard');
    await page.getByText('Access denied. Admin privileges required.').waitFor();
    await page.getByLabel('Email').fill(boss);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in to Admin' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('Super Admin', { exact: true }).waitFor();
    await look(page, 'admin-overview', view);

    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByLabel('Search by email').fill(email.slice(0, -4));
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: email, exact: true }).waitFor();
    await look(page, 'admin-users', view);
    await page.getByRole('link', { name: email, exact: true }).click();
    await page.getByRole('heading', { name: email }).waitFor();
    await look(page, 'admin-user', view);
    const path = new URL(page.url()).pathname;

    /** Goes through a change; without a reason it is refused first. */
    const change = async (name: string, address: string, fill?: () => Promise<unknown>) => {
      await page.goto(`${path}/${address}`);
      await page.getByRole('button', { name: `${name}: ${email}` }).click();
      await page.getByText('Give a reason.', { exact: false }).waitFor();
      await fill?.();
      await page.getByLabel('Reason').fill(`because of ${address}`);
      await page.getByRole('button', { name: `${name}: ${email}` }).click();
      await expect.poll(() => new URL(page.url()).pathname).not.toContain(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
    };
    const userSees = async (where: string) => {
      await user.page.goto(where);
      return user.page.locator('body').innerText();
    };

    await change('Upgrade', 'upgrade');
    expect(await userSees('/dashboard/tracking')).not.toContain('Premium users only');
    await change('Downgrade', 'downgrade');
    expect(await userSees('/dashboard/tracking')).toContain('Premium users only');
    await change('Change role', 'role', () => page.getByLabel('New role').selectOption('admin'));
    expect(await userSees('/admin/dashboard')).toContain('Overview');
    await change('Change role', 'role', () => page.getByLabel('New role').selectOption('user'));
    expect(await userSees('/admin/dashboard')).toContain('Access denied. Admin privileges required.');
    const log = await userSees('/dashboard/profile/access-log');
    for (const line of [
      'Account looked at',
      'Premium granted',
      'Premium ended',
      'Role changed',
      'because of upgrade',
    ])
      expect(log).toContain(line);
    expect(log).toContain('An administrator');
    expect(log).not.toContain(boss);
    await change('Sign out everywhere', 'sign-out');
    expect(await userSees('/dashboard/profile')).toContain('Remember me');
    await change('Suspend', 'suspend');
    await look(page, 'admin-user-suspended', view);
    await user.page.getByLabel('Email').fill(email);
    await user.page.getByLabel('Password').fill(PASSWORD);
    await user.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await user.page.getByText('This account is suspended. Contact support.').waitFor();
    await change('Reinstate', 'reinstate');

    await page.goto(`${path}/delete`);
    await look(page, 'admin-delete', view);
    await change('Delete', 'delete', () => page.getByLabel(`Type ${email}`).fill(email));
    await page.goto(`/admin/dashboard/audit?subject=${path.split('/').at(-1) ?? ''}&startDate=2020-01-01`);
    await look(page, 'admin-audit', view);
    const trail = await mainText(page);
    for (const address of ['upgrade', 'downgrade', 'role', 'sign-out', 'suspend', 'reinstate', 'delete'])
      expect(trail).toContain(`because of ${address}`);
    expect(trail).toContain(boss);
    expect(problems).toEqual([]);
    await Promise.all([context.close(), user.context.close()]);
  });

  it('the second of two administrators is told of the conflict, and loses no input', async () => {
    const user = await openPage(view);
    const email = await signUp(user.context);
    const [one, two] = [await openPage(view), await openPage(view)];
    for (const { page } of [one, two]) {
      await page.goto('/admin/login');
      await page.getByLabel('Email').fill(await newSuperAdmin());
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in to Admin' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.goto(`/admin/dashboard/users?search=${encodeURIComponent(email)}`);
      await page.getByRole('link', { name: `Suspend ${email}` }).click();
      await page.getByLabel('Reason').fill('spam');
    }
    await one.page.getByRole('button', { name: `Suspend: ${email}` }).click();
    await one.page.getByRole('heading', { name: email, exact: true }).waitFor();
    await two.page.getByRole('button', { name: `Suspend: ${email}` }).click();
    await two.page
      .getByText('Somebody else changed this account in the meantime.', { exact: false })
      .waitFor();
    expect(await two.page.getByLabel('Reason').inputValue()).toBe('spam');
    await expect.poll(() => mainText(two.page)).toContain('Suspended');
    await Promise.all([user, one, two].map(({ context }) => context.close()));
  });
});
