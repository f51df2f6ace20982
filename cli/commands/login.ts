import { hostname } from 'node:os';
import { isAppError, AppError } from '#app/domain/errors.ts';
import { action, examples, type Session, withCommonOptions } from '../command.ts';
import type { Io } from '../io.ts';
import { EXIT, writeJson, writeOutcome } from '../output.ts';
import { type Ask, converse } from '../prompt.ts';
import { loginFile, serverOrigin, writeLogin } from '../server/login-file.ts';
import { call } from '../server/server-api.ts';

/** Longer input is no token. */
const MAX_TOKEN_BYTES = 10_000;

/** The first line of standard input. */
async function firstLine({ stdin }: Io): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_TOKEN_BYTES) break;
  }
  return text.split('\n', 1)[0]?.trim() ?? '';
}

/** Signs in, with the code of two-step sign-in if the account has it. @returns the token of the session */
async function signIn(url: string, ask: Ask): Promise<string> {
  const credentials = { email: await ask('Email: '), password: await ask('Password: ', 'secret') };
  const attempt = (more: object) =>
    call<{ token: string }>({ url }, 'POST', '/api/auth/login', { body: { ...credentials, ...more } });
  const { token } = await attempt({}).catch(async (error: unknown) => {
    if (!isAppError(error) || error.code !== 'SECOND_FACTOR_REQUIRED') throw error;
    return attempt({ code: await ask('Code of two-step sign-in: ') });
  });
  return token;
}

/** A new personal token for this machine. The session it takes to create it ends at once. */
async function createToken(url: string, ask: Ask): Promise<string> {
  const session = { url, token: await signIn(url, ask) };
  try {
    const body = { name: `Terminal on ${hostname()}`.slice(0, 60), scope: 'write', life: 'never' };
    return (await call<{ token: string }>(session, 'POST', '/api/profile/tokens', { body })).token;
  } finally {
    await call(session, 'POST', '/api/auth/logout', { body: {} });
  }
}

/** @throws AppError INVALID_INPUT without a token and without a terminal to ask in */
async function tokenFor(io: Io, url: string): Promise<string> {
  const fromEnvironment = io.env['VIALBOOK_TOKEN'];
  if (fromEnvironment) return fromEnvironment;
  if (io.stdinIsTerminal)
    return converse(io, async (ask) => {
      const typed = await ask('Personal token (empty to sign in with email and password): ', 'secret');
      return typed.trim() || createToken(url, ask);
    });
  const sent = await firstLine(io);
  if (sent !== '') return sent;
  throw new AppError(
    'INVALID_INPUT',
    'Set VIALBOOK_TOKEN, send a personal token on standard input, or run this command in a terminal.',
  );
}

/** What a header can hold. */
const TOKEN = /^[\x21-\x7e]{1,500}$/;

async function run(io: Io, { json }: { json?: boolean }, address: string): Promise<number> {
  const url = serverOrigin(address);
  const token = await tokenFor(io, url);
  if (!TOKEN.test(token)) throw new AppError('INVALID_INPUT', 'This is not a personal token.');
  const { user } = await call<{ user: { email: string } }>({ url, token }, 'GET', '/api/auth/me');
  await writeLogin(io.env, { url, token });
  if (json) await writeJson(io, { url, email: user.email, file: loginFile(io.env) });
  else await writeOutcome(io, `Logged in to ${url} as ${user.email}.\n`);
  return EXIT.done;
}

const HELP = `
Keeps a personal token in a file that only you can read, vialbook/login.json in your directory for settings. From then on,
commands for an account work on the server, unless you give --user or set VIALBOOK_USER, DATA_DIR or MONGODB_URI.

In a terminal, the command asks for a personal token (from your profile, API tokens), or for email and password to create one.
Without a terminal, set VIALBOOK_TOKEN or send the token on standard input.
${examples('vialbook login https://vialbook.example.org', 'cat token.txt | vialbook login https://vialbook.example.org')}`;

/** Adds `vialbook login`. */
export function register(session: Session): void {
  const command = session.program
    .command('login')
    .description('Log in to a server, so that the commands for an account work on it.')
    .argument('<address>', 'address of the server; http:// only on this machine')
    .addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<{ json?: boolean }>(session, (options, address = '') => run(session.io, options, address)),
  );
}
