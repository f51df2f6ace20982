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

/** Permission bits that group and others must not have. */
const FOREIGN = 0o077;

/** @throws AppError DATABASE_UNAVAILABLE for a file that others can read, with the command that fixes it */
async function readIfThere(file: string): Promise<string | null> {
  try {
    const { mode } = await stat(file);
    // Windows has no such modes.
    if (process.platform !== 'win32' && (mode & FOREIGN) !== 0)
      throw new AppError(
        'DATABASE_UNAVAILABLE',
        `Other users of this computer can read the secret in ${file}. Restrict access with: chmod 600 '${file}'`,
      );
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * A secret that is created once and stored in the data directory, readable only by its owner. Processes that start at the
 * same time end up with the same one: the file appears complete, and the first one stays.
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

/** The secret that signs what browsers store for us: `SESSION_SECRET`, or one created once in the data directory. */
export async function loadSessionSecret(
  settings: Pick<Settings, 'SESSION_SECRET' | 'DATA_DIR'>,
): Promise<string> {
  return settings.SESSION_SECRET ?? keptSecret(settings.DATA_DIR, 'session-secret', newSessionSecret);
}

/** A new key pair, which is not stored. */
export const newVapidKeys = (): Promise<VapidKeys> => makeVapidKeys();

/**
 * The keys with which this server signs pushes: `VAPID_PUBLIC_KEY` and `VAPID_PRIVATE_KEY`, or a pair created once in the
 * data directory. If they change, every browser has to subscribe again.
 */
export async function loadVapidKeys(
  settings: Pick<Settings, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'DATA_DIR'>,
): Promise<VapidKeys> {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = settings;
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
  const make = async () => JSON.stringify(await makeVapidKeys());
  return JSON.parse(await keptSecret(settings.DATA_DIR, 'vapid-keys', make)) as VapidKeys;
}

/** Where the operator can be reached: `VAPID_SUBJECT`, or the sender address of our mails; null if neither is set. */
export function operatorContact(settings: Pick<Settings, 'VAPID_SUBJECT' | 'MAIL_FROM'>): string | null {
  if (settings.VAPID_SUBJECT !== undefined) return settings.VAPID_SUBJECT;
  const from = settings.MAIL_FROM ?? '';
  const address = /<([^<>]+)>/.exec(from)?.[1] ?? from;
  return /^[^<>\s@]+@[^<>\s]+$/.test(address) ? `mailto:${address}` : null;
}

/** The push sender from the settings. Keys are read or created when first needed. */
export function pushSenderOf(
  settings: Pick<
    Settings,
    'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'VAPID_SUBJECT' | 'DATA_DIR' | 'MAIL_FROM' | 'APP_URL'
  >,
): PushSender {
  const subject = operatorContact(settings) ?? `mailto:no-reply@${new URL(settings.APP_URL).hostname}`;
  return createPushSender({ keys: () => loadVapidKeys(settings), subject });
}
