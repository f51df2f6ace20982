/** A browser notification. */
export interface BrowserNotification {
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

/** Shows a notification, through the service worker where there is one, since phones allow no other way. */
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
