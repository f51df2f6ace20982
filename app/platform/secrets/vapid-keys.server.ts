import type { Settings } from '#app/domain/settings/settings.ts';
import {
  createPushSender,
  makeVapidKeys,
  type PushSender,
  type VapidKeys,
} from '#app/integrations/push.server.ts';
import { keptSecret } from './secret-file.server.ts';

/** A new pair, kept nowhere. */
export const newVapidKeys = (): Promise<VapidKeys> => makeVapidKeys();

/**
 * The keys this server signs pushes with: `VAPID_PUBLIC_KEY` and `VAPID_PRIVATE_KEY`, else a pair made once and kept in
 * the data directory. With other keys every browser has to subscribe again.
 */
export async function loadVapidKeys(
  settings: Pick<Settings, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'DATA_DIR'>,
): Promise<VapidKeys> {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = settings;
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
  const make = async () => JSON.stringify(await makeVapidKeys());
  return JSON.parse(await keptSecret(settings.DATA_DIR, 'vapid-keys', make)) as VapidKeys;
}

/** Whom push services write to about this server: `VAPID_SUBJECT`, else the mail address that mails come from. */
export function vapidSubject(settings: Pick<Settings, 'VAPID_SUBJECT' | 'MAIL_FROM' | 'APP_URL'>): string {
  if (settings.VAPID_SUBJECT !== undefined) return settings.VAPID_SUBJECT;
  const address = /<([^<>\s]+@[^<>\s]+)>|^([^<>\s]+@[^<>\s]+)$/.exec(settings.MAIL_FROM ?? '');
  return `mailto:${address?.[1] ?? address?.[2] ?? `no-reply@${new URL(settings.APP_URL).hostname}`}`;
}

/** The sender of pushes that the settings describe. Keys are read, or made, when they are first needed. */
export function pushSenderOf(
  settings: Pick<
    Settings,
    'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'VAPID_SUBJECT' | 'DATA_DIR' | 'MAIL_FROM' | 'APP_URL'
  >,
): PushSender {
  return createPushSender({ keys: () => loadVapidKeys(settings), subject: vapidSubject(settings) });
}
