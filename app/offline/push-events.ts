import type { PushScope } from './worker-scope.ts';

/** The content of a push from this server; any other push is shown as `BARE`. */
interface PushWords {
  title: string;
  body: string;
  tag: string;
  url: string;
  requireInteraction: boolean;
}

const BARE: PushWords = {
  title: 'Vialbook',
  body: 'You have a reminder.',
  tag: 'reminder',
  url: '/dashboard/reminders',
  requireInteraction: false,
};

const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);

/** Reads a push. There is always a text, because browsers revoke the permission of sites that show nothing. */
export function wordsOf(read: () => unknown): PushWords {
  try {
    const { title, body, tag, url, requireInteraction } = read() as Partial<Record<keyof PushWords, unknown>>;
    return {
      title: text(title, BARE.title),
      body: text(body, BARE.body),
      tag: text(tag, BARE.tag),
      url: text(url, BARE.url),
      requireInteraction: requireInteraction === true,
    };
  } catch {
    return BARE;
  }
}

/** The URL if it is on this site, else the reminders page. */
export function ownAddress(url: unknown, origin: string): string {
  const address = URL.canParse(String(url), origin) ? new URL(String(url), origin) : null;
  return address?.origin === origin ? address.href : new URL(BARE.url, origin).href;
}

/** Shows pushes as notifications, and opens their page when clicked. */
export function answerPushes(scope: PushScope): void {
  scope.addEventListener('push', (event) => {
    const { title, url, ...options } = wordsOf(() => event.data?.json() ?? BARE);
    event.waitUntil(
      scope.registration.showNotification(title, { ...options, data: { url }, icon: '/favicon.svg' }),
    );
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
