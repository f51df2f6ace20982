import type { PushScope } from './worker-scope.ts';

/** The content of a push from this server; any other push is shown as `DEFAULT_PUSH`. */
interface PushContent {
  title: string;
  body: string;
  tag: string;
  url: string;
  requireInteraction: boolean;
  /** With which it is confirmed that the push was shown; null if nobody waits for that. */
  confirm: string | null;
}

const DEFAULT_PUSH: PushContent = {
  title: 'Vialbook',
  body: 'You have a reminder.',
  tag: 'reminder',
  url: '/dashboard/reminders',
  requireInteraction: false,
  confirm: null,
};

const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);

/** Reads a push. There is always a text, because browsers revoke the permission of sites that show nothing. */
export function readPush(read: () => unknown): PushContent {
  try {
    const { title, body, tag, url, requireInteraction, confirm } = read() as Partial<
      Record<keyof PushContent, unknown>
    >;
    return {
      title: text(title, DEFAULT_PUSH.title),
      body: text(body, DEFAULT_PUSH.body),
      tag: text(tag, DEFAULT_PUSH.tag),
      url: text(url, DEFAULT_PUSH.url),
      requireInteraction: requireInteraction === true,
      confirm: typeof confirm === 'string' ? confirm : null,
    };
  } catch {
    return DEFAULT_PUSH;
  }
}

/** The URL if it is on this site, else the reminders page. */
export function ownAddress(url: unknown, origin: string): string {
  const address = URL.canParse(String(url), origin) ? new URL(String(url), origin) : null;
  return address?.origin === origin ? address.href : new URL(DEFAULT_PUSH.url, origin).href;
}

/** Where the server is told that a push was shown. */
const SHOWN_PATH = '/push/shown';

/** Tells the server that a push was shown. If that fails, it uses another channel as if the push had been lost. */
async function confirmShown(scope: PushScope, token: string): Promise<void> {
  const body = new URLSearchParams({ token });
  await scope.fetch(SHOWN_PATH, { method: 'POST', body, credentials: 'omit' }).catch(() => undefined);
}

/** Shows pushes as notifications, tells the server so, and opens their page when clicked. */
export function answerPushes(scope: PushScope): void {
  scope.addEventListener('push', (event) => {
    const { title, url, confirm, ...options } = readPush(() => event.data?.json() ?? DEFAULT_PUSH);
    const shown = scope.registration.showNotification(title, {
      ...options,
      data: { url },
      icon: '/favicon.svg',
    });
    event.waitUntil(confirm === null ? shown : shown.then(() => confirmShown(scope, confirm)));
  });
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const { url } = (event.notification.data ?? {}) as { url?: unknown };
    const address = ownAddress(url, scope.location.origin);
    event.waitUntil(
      scope.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((pages) => {
        const open = pages.find((page) => page.url === address);
        return open ? open.focus() : scope.clients.openWindow(address);
      }),
    );
  });
}
