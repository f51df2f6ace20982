import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { reminderRow } from '#tests/integration/routes/owned/reminders.ts';
import { addStored, userIdOf } from '#tests/integration/routes/stored.ts';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import { hydrated, signUp } from './journey.ts';

const MINUTE = 60_000;

/** Checks that a page is accessible, and saves a screenshot if `SHOTS` names a folder. */
async function look(page: Page, name: string, scripts: boolean): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) {
    mkdirSync(folder, { recursive: true });
    const width = page.viewportSize()?.width;
    await page.screenshot({
      path: `${folder}/${name}-${width}-${scripts ? 'js' : 'plain'}.png`,
      fullPage: true,
    });
  }
  await expectSoundPage(page, name, scripts);
}

/** A user with several reminders, the newest about a due dose. */
async function reminded(context: BrowserContext, count: number): Promise<void> {
  const dataDir = inject('serverDataDir');
  const userId = await userIdOf(dataDir, await signUp(context, { trial: true }));
  const { id, ...dose } = pendingDose(`dose_${randomBytes(6).toString('hex')}`, new Date(), {
    remindAt: null,
  });
  await addStored(dataDir, 'doses', [{ _id: id, userId, ...dose, scheduleId: null }]);
  const rows = Array.from({ length: count }, (_, index) =>
    reminderRow(userId, {
      _id: `rem_${randomBytes(8).toString('hex')}`,
      doseId: id,
      type: index === 0 ? 'overdue' : 'upcoming',
      message: `BPC-157, 250 mcg, was due at 08:${String(index).padStart(2, '0')}.`,
      reminderTime: new Date(Date.now() - index * 20 * MINUTE),
    }),
  );
  await addStored(dataDir, 'reminders', rows);
}

describe.each([
  { scripts: true, ...PHONE, dark: true },
  { scripts: false, ...DESKTOP },
])('reminders, scripts $scripts, $width px', (view) => {
  const { scripts } = view;

  it('the bell opens the dose, and the list of reminders lets the user snooze', async () => {
    const { context, page, problems } = await openPage(view);
    await reminded(context, 12);
    await page.goto('/dashboard/reminders');
    if (scripts) await hydrated(page);
    await look(page, 'reminders-list', scripts);
    await page.locator('summary', { hasText: 'Reminders' }).click();
    await page.getByRole('link', { name: 'View all reminders' }).waitFor();
    await look(page, 'reminders-bell', scripts);
    await page.locator('.bell-panel button', { hasText: '08:00' }).click();
    await page.waitForURL(/\/dashboard\/schedule\/doses\/dose_/);
    await page.getByText('Marked as read').waitFor();

    await page.goto('/dashboard/reminders?unread=1');
    await expect.poll(() => page.locator('main').innerText()).not.toContain('08:00.');
    await page.locator('main a', { hasText: '08:01' }).click();
    await page.getByLabel('Remind me again in').selectOption('30');
    await look(page, 'reminders-one', scripts);
    await page.getByRole('button', { name: 'Snooze' }).click();
    await page.getByText('You will be reminded again').waitFor();
    await page.goto('/dashboard/reminders?unread=1');
    await page.getByText('No unread reminders').waitFor();
    await look(page, 'reminders-none', scripts);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('a calendar link is created, shown once, and turned off', async () => {
    const { context, page, problems } = await openPage(view);
    await signUp(context, { trial: true });
    await page.goto('/dashboard/schedule/calendar-feed');
    if (scripts) await hydrated(page);
    await look(page, 'calendar-new', scripts);
    await page.getByText('Names and amounts').click();
    await page.getByRole('button', { name: 'Create a calendar link' }).click();
    const link = (await page.locator('[data-link]').innerText()).trim();
    await look(page, 'calendar-made', scripts);
    const path = new URL(link).pathname;
    const file = await page.request.get(path);
    expect(file.status()).toBe(200);
    await expect.poll(() => file.text()).toMatch(/^BEGIN:VCALENDAR/);
    await page.goto('/dashboard/schedule/calendar-feed');
    await expect.poll(() => page.locator('[data-link]').count()).toBe(0);
    await page.getByRole('link', { name: 'Turn off the calendar link' }).click();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('The calendar link is off').waitFor();
    expect((await page.request.get(path)).status()).toBe(404);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('browsers with push notifications are listed with the settings', async () => {
    const { context, page, problems } = await openPage(view);
    await signUp(context, { trial: true });
    await page.goto('/dashboard/profile/notifications');
    if (scripts) await hydrated(page);
    await page.getByText('No browser receives push notifications yet.').waitFor();
    await look(page, 'reminders-choices', scripts);
    expect(problems).toEqual([]);
    await context.close();
  });
});

interface Shown {
  title: string;
  body: string;
  tag: string;
  requireInteraction: boolean;
}

/** Delivers a push to the page's service worker, as a push service would. */
async function deliverPush(context: BrowserContext, page: Page, content: object): Promise<void> {
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const data = JSON.stringify(content);
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: inject('serverUrl'),
    registrationId,
    data,
  });
}

/** Records the notifications that the page shows, and grants permission for them. */
async function watchNotifications(context: BrowserContext, permission: 'default' | 'granted'): Promise<void> {
  await context.addInitScript((initial) => {
    const shown: unknown[] = [];
    const note = (title: string, options: object) => void shown.push({ title, ...options });
    Object.assign(window, { shown });
    let current = initial;
    Object.defineProperty(Notification, 'permission', { get: () => current });
    Notification.requestPermission = () => Promise.resolve((current = 'granted'));
    ServiceWorkerRegistration.prototype.showNotification = function (title, options = {}) {
      note(title, options);
      return Promise.resolve();
    };
    window.Notification = new Proxy(Notification, {
      construct: (_target, [title, options]: [string, object]) => (note(title, options), {}),
    });
  }, permission);
}

const shownBy = (page: Page) => page.evaluate(() => (window as unknown as { shown: Shown[] }).shown);

describe('before the server has answered', () => {
  it('reminders are shown as read at once, and as new again if the request fails', async () => {
    const { context, page } = await openPage({ scripts: true, ...DESKTOP });
    await reminded(context, 3);
    await page.goto('/dashboard/reminders');
    await hydrated(page);
    let give = () => {};
    const lose = async () => {
      const lost = new Promise<void>((resolve) => (give = resolve));
      await page.unrouteAll();
      await page.route(/\.data(\?|$)/, (route) => lost.then(() => route.abort()));
    };
    const badge = page.locator('.bell-badge');
    const news = () => page.locator('.bell-item-new').count();
    const back = async () => {
      give();
      await page.getByRole('alert').filter({ hasText: 'Network Error' }).waitFor();
      await expect.poll(() => badge.innerText()).toContain('3');
      await expect.poll(news).toBe(3);
      expect(new URL(page.url()).pathname).toBe('/dashboard/reminders');
    };
    await page.locator('summary', { hasText: 'Reminders' }).click();
    await lose();
    await page.locator('.bell-panel button', { hasText: '08:00' }).click();
    await expect.poll(() => badge.innerText()).toContain('2');
    await expect.poll(news).toBe(2);
    await back();
    await page.locator('summary', { hasText: 'Reminders' }).click();
    await lose();
    await page.locator('main').getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => badge.count()).toBe(0);
    await expect.poll(() => page.locator('main .reminder-row-new').count()).toBe(0);
    await back();
    await page.unrouteAll();
    await page.locator('main').getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => badge.count()).toBe(0);
    await page
      .locator('main')
      .getByRole('button', { name: 'Mark all as read' })
      .waitFor({ state: 'detached' });
    await context.close();
  });
});

describe('browser notifications', () => {
  it('report an overdue dose once, with its tag, and stay until dismissed', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...DESKTOP });
    await watchNotifications(context, 'granted');
    await reminded(context, 1);
    const told = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/reminders/check'),
    );
    await page.goto('/dashboard');
    await told;
    const [first, ...more] = await shownBy(page);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ title: 'Dose overdue', body: 'BPC-157, 250 mcg, was due at 08:00.' });
    expect(first?.tag).toMatch(/^rem_/);
    expect(first?.requireInteraction).toBe(true);
    const checked = page.waitForResponse('**/dashboard/reminders/check');
    await page.reload();
    await checked;
    await expect.poll(() => shownBy(page)).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('are turned on with a button that asks for permission, and confirm it', async () => {
    const { context, page } = await openPage({ scripts: true, worker: true, ...PHONE });
    await watchNotifications(context, 'default');
    await signUp(context, { trial: true });
    await page.goto('/dashboard/profile/notifications');
    await page.locator('main').getByRole('button', { name: 'Enable' }).click();
    // This browser has no push service, so it notifies only while a page is open.
    await page.getByText(/This browser notifies you about due doses/).waitFor();
    await expect
      .poll(() => shownBy(page))
      .toMatchObject([
        { title: 'Vialbook: Notifications Enabled', body: "You'll now receive dose reminders" },
      ]);
    await context.close();
  });

  it('prove the browser they were shown in, on the page that waits for its test', async () => {
    const { context, page } = await openPage({ scripts: true, whole: true, ...DESKTOP });
    const origin = inject('serverUrl');
    const dataDir = inject('serverDataDir');
    await context.grantPermissions(['notifications'], { origin });
    const userId = await userIdOf(dataDir, await signUp(context, { trial: true }));
    const subscriptionId = `push_${randomBytes(8).toString('hex')}`;
    const keys = { endpoint: 'https://push.example/x', p256dh: 'x', auth: 'y' };
    const browser = { _id: subscriptionId, userId, signInId: 's', ...keys, browser: 'Lynx on Plan 9' };
    await addStored(dataDir, 'push_subscriptions', [{ ...browser, createdAt: new Date() }]);
    // What a test sends through a push service, which this browser has none of.
    const token = randomBytes(32).toString('base64url');
    const secret = { userId, purpose: 'push-shown', failures: 0, facts: { subscriptionId } };
    const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 10 * MINUTE) };
    const hash = createHash('sha256').update(token).digest('base64url');
    await addStored(dataDir, 'one_time_secrets', [{ _id: hash, ...secret, ...times }]);
    await page.goto('/dashboard/profile/notifications?tested=1');
    await page.getByText('No delivery proven yet').waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await deliverPush(context, page, { title: 'Vialbook', tag: 'test', confirm: token });
    await page.getByText(/^Last proven delivery \d+ \w+ \d{4}, \d\d:\d\d$/).waitFor();
    await look(page, 'reminders-proven', true);
    await context.close();
  });

  it('come from the service worker when a push arrives', async () => {
    const { context, page } = await openPage({ scripts: true, whole: true, ...DESKTOP });
    const origin = inject('serverUrl');
    await context.grantPermissions(['notifications'], { origin });
    await page.goto('/calculator');
    const script = await page.request.get('/sw.js');
    expect(script.headers()['cache-control']).toBe('no-cache');
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/sw.js');
      await navigator.serviceWorker.ready;
    });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    // Chromium loses a notification that is queried between being stored and being displayed, so wait for its display.
    await worker.evaluate(() => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      const show = registration.showNotification.bind(registration);
      registration.showNotification = async (...notification) => {
        await show(...notification);
        Object.assign(globalThis, { displayed: notification[0] });
      };
    });
    await deliverPush(context, page, { title: 'Dose due', body: 'Now', tag: 'dose_1', url: '/act/x' });
    const titles = () =>
      page.evaluate(async () =>
        (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, tag }) => [
          title,
          tag,
        ]),
      );
    await expect.poll(() => worker.evaluate('globalThis.displayed')).toBe('Dose due');
    expect(await titles()).toEqual([['Dose due', 'dose_1']]);
    await context.close();
  });
});
