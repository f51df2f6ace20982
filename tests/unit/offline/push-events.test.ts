import { describe, expect, it } from 'vitest';
import { answerPushes, ownAddress, readPush } from '#app/offline/push-events.ts';
import type { ClickEvent, PushEvent, PushScope } from '#app/offline/worker-scope.ts';

const ORIGIN = 'https://vialbook.example';

/** A fake service worker scope that records what happens. */
function world(open: string[] = []) {
  const listeners: { push?: (event: PushEvent) => void; notificationclick?: (event: ClickEvent) => void } =
    {};
  const done: unknown[] = [];
  const note = (...what: unknown[]) => Promise.resolve(void done.push(what));
  const scope: PushScope = {
    location: { origin: ORIGIN },
    registration: { showNotification: (title, options) => note('show', title, options) },
    clients: {
      matchAll: () => Promise.resolve(open.map((url) => ({ url, focus: () => note('focus', url) }))),
      openWindow: (url) => note('open', url),
    },
    fetch: (address, init) => note('fetch', address, String(init.body), init.credentials),
    addEventListener: (type: 'push' | 'notificationclick', listener: unknown) =>
      Object.assign(listeners, { [type]: listener }),
  };
  answerPushes(scope);
  return { listeners, done, scope };
}

describe('a push', () => {
  it('is shown with its tag, so that a later one replaces it', async () => {
    const { listeners, done } = world();
    const words = {
      title: 'Dose overdue',
      body: 'B',
      tag: 'dose_1',
      url: '/act/x',
      requireInteraction: true,
    };
    let work: Promise<unknown> | undefined;
    listeners.push?.({ data: { json: () => words }, waitUntil: (promise) => void (work = promise) });
    await work;
    const { title, url, ...rest } = words;
    expect(done).toEqual([['show', title, { ...rest, data: { url }, icon: '/favicon.svg' }]]);
  });

  it('is confirmed after it was shown, with its token and without cookies', async () => {
    const { listeners, done } = world();
    let work: Promise<unknown> | undefined;
    const json = () => ({ title: 'Dose due', confirm: 'token-1' });
    listeners.push?.({ data: { json }, waitUntil: (promise) => void (work = promise) });
    await work;
    expect(done).toEqual([
      ['show', 'Dose due', expect.anything()],
      ['fetch', '/push/shown', 'token=token-1', 'omit'],
    ]);
  });

  it('that could not be shown is not confirmed', async () => {
    const { listeners, done, scope } = world();
    scope.registration.showNotification = () => Promise.reject(new Error('not allowed'));
    let work: Promise<unknown> | undefined;
    const json = () => ({ title: 'Dose due', confirm: 'token-1' });
    listeners.push?.({ data: { json }, waitUntil: (promise) => void (work = promise) });
    await expect(work).rejects.toThrow('not allowed');
    expect(done).toEqual([]);
  });

  it.each([
    ['nothing', null],
    ['no JSON', { json: () => JSON.parse('{') as unknown }],
    ['a number', { json: () => 7 }],
    ['null', { json: () => null }],
    ['other types', { json: () => ({ title: 1, body: {}, requireInteraction: 'yes' }) }],
  ])('with %s as its content is still shown', async (_name, data) => {
    const { listeners, done } = world();
    let work: Promise<unknown> | undefined;
    listeners.push?.({ data, waitUntil: (promise) => void (work = promise) });
    await work;
    expect(done).toMatchObject([
      ['show', 'Vialbook', { body: 'You have a reminder.', requireInteraction: false }],
    ]);
  });
});

describe('clicking a notification', () => {
  async function chosen(url: unknown, open: string[] = []) {
    const { listeners, done } = world(open);
    let work: Promise<unknown> | undefined;
    let closed = false;
    const notification = { data: { url }, close: () => (closed = true) };
    listeners.notificationclick?.({ notification, waitUntil: (promise) => void (work = promise) });
    await work;
    expect(closed).toBe(true);
    return done;
  }

  it('opens its page, or focuses a tab that already shows it', async () => {
    expect(await chosen('/act/x')).toEqual([['open', `${ORIGIN}/act/x`]]);
    expect(await chosen('/act/x', [`${ORIGIN}/`, `${ORIGIN}/act/x`])).toEqual([['focus', `${ORIGIN}/act/x`]]);
  });

  it.each(['https://evil.example/x', '//evil.example', 'javascript:alert(1)', undefined, 'http://['])(
    'never leaves this site (%s)',
    async (url) => {
      const [[, address]] = (await chosen(url)) as [[string, string]];
      expect(new URL(address).origin).toBe(ORIGIN);
      expect(ownAddress(url, ORIGIN)).toBe(address);
    },
  );

  it('reads the content of a push', () => {
    expect(readPush(() => ({ title: 'T' })).title).toBe('T');
  });
});
