import { mkdirSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { spawnCli } from '#tests/support/cli.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { hydrated, signUp } from './journey.ts';

let admins = 0;

/** Creates a super admin at the terminal and signs them in through the admin sign-in. */
async function enter(page: Page): Promise<void> {
  admins += 1;
  const email = `system-${process.pid}-${admins}@example.org`;
  const env = { DATA_DIR: inject('serverDataDir'), NODE_ENV: 'production', VIALBOOK_PASSWORD: PASSWORD };
  const made = await spawnCli(['admin', 'create', email, '--role', 'super_admin'], { env });
  expect(made.code, made.stderr).toBe(0);
  await page.goto('/admin/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in to Admin' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** Checks that a page is accessible, and saves a screenshot if `SHOTS` names a folder. */
async function look(page: Page, name: string, scripts: boolean): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}-${scripts ? 'js' : 'plain'}.png`, fullPage: true });
  }
  await expectSoundPage(page, name, scripts);
}

describe.each([
  { scripts: true, ...PHONE, dark: true },
  { scripts: false, ...DESKTOP },
])('system and subscriptions, scripts $scripts, $width px', (view) => {
  const { scripts } = view;

  it('an announcement is shown and dismissed; a switch turns off a feature; a backup is made', async () => {
    const { context, page, problems } = await openPage(view);
    await enter(page);
    await page.goto('/admin/dashboard/system');
    if (scripts) await hydrated(page);
    await page.getByText('Database latency').waitFor();
    await look(page, 'admin-system', scripts);

    const title = `Maintenance ${process.pid} ${view.width} ${String(scripts)}`;
    await page.getByRole('link', { name: 'Announcements' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.locator('#title-error').getByText('Enter a title').waitFor();
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Text').fill('On Sunday from 8 to 9.');
    // Other tests use this server too, so only a small audience is chosen.
    await page.getByLabel('Audience').selectOption('premium');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: title }).waitFor();

    const reader = await openPage(view);
    await signUp(reader.context, { trial: true });
    await reader.page.goto('/dashboard/vials');
    if (scripts) await hydrated(reader.page);
    await reader.page.getByText(title).waitFor();
    await look(reader.page, 'announcement', scripts);
    await reader.page.getByRole('button', { name: `Dismiss: ${title}` }).click();
    await reader.page.getByText(title).waitFor({ state: 'detached' });
    expect(new URL(reader.page.url()).pathname).toBe('/dashboard/vials');
    expect(reader.problems).toEqual([]);
    await reader.context.close();
    await page.getByRole('link', { name: `Edit: ${title}` }).click();
    await page.getByLabel('Text').fill('On Monday from 8 to 9.');
    await look(page, 'admin-announcement', scripts);
    await page.getByRole('button', { name: 'Save announcement' }).click();
    await page.getByText('Announcement saved').first().waitFor();
    await page.getByRole('link', { name: `End: ${title}` }).click();
    await page.getByRole('button', { name: 'End announcement' }).click();
    await page.getByText('Announcement ended').first().waitFor();

    await page.getByRole('link', { name: 'Switches' }).click();
    await page.getByText('Switch Catalogues from an address off').first().click();
    await page.getByRole('button', { name: 'Switch Catalogues from an address off' }).click();
    await page.getByText('Give a reason. It is kept in the audit trail.').waitFor();
    await page.locator('#reason-remote-catalogues').fill('a site misbehaves');
    await page.getByRole('button', { name: 'Switch Catalogues from an address off' }).click();
    await page.getByText('Catalogues from an address is off').first().waitFor();
    await page.getByText('Switch Catalogues from an address on').first().click();
    await page.locator('#reason-remote-catalogues').fill('it is well again');
    await page.getByRole('button', { name: 'Switch Catalogues from an address on' }).click();
    await page.getByText('Catalogues from an address is on').first().waitFor();
    await look(page, 'admin-switches', scripts);

    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByRole('link', { name: 'Back up now' }).click();
    await page.getByLabel('Reason').fill('before an update');
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await look(page, 'admin-backup', scripts);
    await page.getByRole('link', { name: 'Logs' }).click();
    await page.getByLabel('Search').fill('no line says (this+');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Nothing matches').waitFor();
    await look(page, 'admin-logs', scripts);

    await page.getByRole('link', { name: 'Subscriptions' }).click();
    await page.getByRole('link', { name: 'Billing Issues' }).click();
    await page.getByRole('link', { name: 'Escalated' }).waitFor();
    await page.getByRole('link', { name: 'Analytics' }).click();
    await page.getByRole('heading', { name: 'Trial conversion' }).waitFor();
    await look(page, 'admin-analytics', scripts);
    expect(problems).toEqual([]);
    await context.close();
  });
});
