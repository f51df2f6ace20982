import { useEffect, useState } from 'react';
import { Button } from '#app/ui/button.tsx';

interface EnableNotificationsProps {
  /** Shows nothing once the user has decided. */
  onlyToAsk?: boolean;
}

/** Turns on notifications in this browser. Shows nothing without scripts. */
export function EnableNotifications({ onlyToAsk = false }: EnableNotificationsProps) {
  const [state, setState] = useState<PushState | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    pushState().then(setState, () => setState('unsupported'));
  }, []);
  if (state === null || (onlyToAsk && state !== 'off')) return null;
  const enable = () => {
    setBusy(true);
    enableNotifications()
      .then(setState, () => setState('page'))
      .finally(() => setBusy(false));
  };
  return (
    <div className="flex flex-wrap items-center gap-3 p-4">
      <p role="status" className="min-w-0 flex-1 text-sm">
        {WORDS[state]}
      </p>
      {state === 'off' || (state === 'page' && !onlyToAsk) ? (
        <Button type="button" onClick={enable} disabled={busy}>
          Enable
        </Button>
      ) : null}
    </div>
  );
}

const WORDS: Record<PushState, string> = {
  unsupported: 'This browser doesn’t support notifications.',
  denied: 'Notifications are blocked in this browser. Allow them for this site in the browser’s settings.',
  off: 'Get notified about due doses, even when Vialbook isn’t open.',
  page: 'This browser notifies you about due doses while Vialbook is open.',
  on: 'This browser notifies you about due doses, even when Vialbook isn’t open.',
};

/** The state of notifications in this browser. `page`: without push, only while a page is open. */
type PushState = 'unsupported' | 'denied' | 'off' | 'page' | 'on';

const PUSH_PATH = '/dashboard/profile/push';
const CONFIRM_PATH = `/dashboard/profile/confirm?redirectTo=${encodeURIComponent('/dashboard/profile/notifications')}`;

/** Asks for permission, confirms it with a notification, and subscribes this browser to push where it can. */
async function enableNotifications(): Promise<PushState> {
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

async function subscribe(): Promise<PushState> {
  const registration = await navigator.serviceWorker.ready;
  const opened = await fetch(PUSH_PATH);
  // The sign-in was too long ago. The person comes back to a page with the same button.
  if (opened.redirected) {
    window.location.assign(CONFIRM_PATH);
    return 'page';
  }
  const { publicKey } = (await opened.json()) as { publicKey: string };
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const fields = { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
  const answer = await fetch(PUSH_PATH, { method: 'POST', body: new URLSearchParams(fields) });
  if (answer.ok && !answer.redirected) return 'on';
  await subscription.unsubscribe();
  return 'page';
}

async function pushState(): Promise<PushState> {
  if (!('Notification' in globalThis)) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  if (Notification.permission !== 'granted') return 'off';
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ? 'on' : 'page';
}

interface BrowserNotification {
  title: string;
  body: string;
  /** A notification replaces an earlier one with the same tag. */
  tag: string;
  requireInteraction?: boolean;
  url?: string;
}

/** True where notifications are supported and allowed. */
export function mayNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted';
}

/** Shows a notification, through the service worker if there is one: phones allow no other way. */
export async function showNotification({ title, url, ...options }: BrowserNotification): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) return registration.showNotification(title, { ...options, data: { url } });
  const notification = new Notification(title, options);
  if (url === undefined) return;
  notification.onclick = () => {
    window.focus();
    window.location.assign(url);
  };
}
