import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#app/domain/errors.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import {
  createPushSender,
  makeVapidKeys,
  type PushSender,
  type VapidKeys,
} from '#app/integrations/push.server.ts';

/** What group and others must not have; there are no such modes on Windows. */
const FOREIGN = process.platform === 'win32' ? 0 : 0o077;

/** @throws AppError DATABASE_UNAVAILABLE for one that others can read, with the command that mends it */
async function readIfThere(file: string): Promise<string | null> {
  try {
    const { mode } = await stat(file);
    if ((mode & FOREIGN) !== 0)
      throw new AppError(
        'DATABASE_UNAVAILABLE',
        `Other users of this computer can read the secret in ${file}. Close it with: chmod 600 '${file}'`,
      );
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * A secret that is made once and kept in the data directory, readable by its owner alone. Processes that start at once
 * end with the same one: the file appears complete or not at all, and the first stays.
 */
export async function keptSecret(
  directory: string,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const file = path.join(directory, name);
  const known = await readIfThere(file);
  if (known) return known;
  if (await mkdir(directory, { recursive: true, mode: 0o700 })) await chmod(directory, 0o700);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${await make()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}

/** A new secret: 256 random bits. */
export const newSessionSecret = () => randomBytes(32).toString('base64url');

/** The secret that signs what browsers keep for us: `SESSION_SECRET`, else one made once and kept in the data directory. */
export async function loadSessionSecret(
  settings: Pick<Settings, 'SESSION_SECRET' | 'DATA_DIR'>,
): Promise<string> {
  return settings.SESSION_SECRET ?? keptSecret(settings.DATA_DIR, 'session-secret', newSessionSecret);
}

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
function vapidSubject(settings: Pick<Settings, 'VAPID_SUBJECT' | 'MAIL_FROM' | 'APP_URL'>): string {
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
