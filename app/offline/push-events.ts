import type { PushScope } from './worker-scope.ts';

/** What a push of this server holds; anything else is shown as a bare reminder. */
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

/** Reads a push. A browser takes the right to push away from who shows nothing, so there always is something. */
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

/** An address of this site, whatever a notification says. */
export function ownAddress(url: unknown, origin: string): string {
  const address = URL.canParse(String(url), origin) ? new URL(String(url), origin) : null;
  return address?.origin === origin ? address.href : new URL(BARE.url, origin).href;
}

/** Shows pushes, and opens what one is about when it is chosen. */
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
