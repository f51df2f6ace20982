import { showNotification } from './show-notification.ts';

export const PUSH_PATH = '/dashboard/profile/push';

/** How it stands with notifications in this browser. `page`: only while a page is open, since it takes no pushes. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'page' | 'on';

/** Asks the browser how it stands. */
export async function pushState(): Promise<PushState> {
  if (!('Notification' in globalThis)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  if (Notification.permission !== 'granted') return 'off';
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ? 'on' : 'page';
}

async function subscribe(): Promise<PushState> {
  const registration = await navigator.serviceWorker.ready;
  const { publicKey } = (await (await fetch(PUSH_PATH)).json()) as { publicKey: string };
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const fields = { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
  const answer = await fetch(PUSH_PATH, { method: 'POST', body: new URLSearchParams(fields) });
  if (answer.ok) return 'on';
  await subscription.unsubscribe();
  return 'page';
}

/** Asks the person, says that it worked, and subscribes this browser to pushes where it can. */
export async function enableNotifications(): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const worker = 'serviceWorker' in navigator;
  if (worker) {
    await navigator.serviceWorker.register('/sw.js');
    await navigator.serviceWorker.ready;
  }
  await showNotification({
    title: 'Vialbook: Notifications Enabled',
    body: "You'll now receive dose reminders",
    tag: 'notifications-enabled',
  });
  return worker && 'PushManager' in globalThis ? subscribe().catch(() => 'page') : 'page';
}
