import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { isLoopbackHost } from '#app/domain/settings/settings.ts';

/** The server that commands work on, and the personal token for it. */
export interface ServerLogin {
  /** Its origin, without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The user's directory for settings; a relative `XDG_CONFIG_HOME` doesn't count, as its specification says. */
function settingsDirectory(env: Environment): string {
  if (process.platform === 'win32') return env['APPDATA'] || path.join(homedir(), 'AppData', 'Roaming');
  const { XDG_CONFIG_HOME: own = '' } = env;
  return path.isAbsolute(own) ? own : path.join(env['HOME'] || homedir(), '.config');
}

/** Where the login is kept. */
export const loginFile = (env: Environment): string =>
  path.join(settingsDirectory(env), 'vialbook', 'login.json');

/**
 * The origin of a server's address.
 * @throws AppError INVALID_INPUT unless it is https, or http on this machine, and nothing but an origin
 */
export function serverOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url === null || !isSafe)
    throw new AppError(
      'INVALID_INPUT',
      'Give the address of a server, https://…. Only a server on this machine may have http://.',
    );
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new AppError('INVALID_INPUT', `Give only the server’s address: ${url.origin}`);
  return url.origin;
}

const loginSchema = z.object({ url: z.string().transform(serverOrigin), token: z.string().min(1) });

/**
 * The login of this user of the system; null without one.
 * @throws AppError INVALID_INPUT for a damaged file
 */
export async function readLogin(env: Environment): Promise<ServerLogin | null> {
  const file = loginFile(env);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new AppError('INVALID_INPUT', `"${file}" cannot be read: ${error.message}`, { cause: error });
  });
  if (text === null) return null;
  try {
    return loginSchema.parse(JSON.parse(text));
  } catch (cause) {
    const message = `"${file}" is damaged. Log in again, or remove it with "vialbook logout".`;
    throw new AppError('INVALID_INPUT', message, { cause });
  }
}

/** Keeps a login, in a file that only this user can read, in place of an earlier one. */
export async function writeLogin(env: Environment, login: ServerLogin): Promise<void> {
  const file = loginFile(env);
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('INVALID_INPUT', `"${file}" cannot be written: ${reason}`, { cause });
  }
}

/** Removes the login, if there is one. */
export const forgetLogin = (env: Environment): Promise<void> => rm(loginFile(env), { force: true });
