import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AppError } from '#app/domain/errors.ts';
import type { Io } from './io.ts';

/** Swallows what readline echoes. */
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

async function ask(io: Io, question: string, echo: boolean): Promise<string> {
  io.stderr.write(question);
  const lines = createInterface({ input: io.stdin, output: echo ? io.stderr : nowhere(), terminal: true });
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  try {
    return await lines.question('', { signal: closed.signal });
  } catch (error) {
    throw new AppError('INVALID_INPUT', 'Nothing was entered.', { cause: error });
  } finally {
    lines.close();
    if (!echo) io.stderr.write('\n');
  }
}

/**
 * A new password: `VIALBOOK_PASSWORD`, else typed twice without being shown.
 * @throws AppError INVALID_INPUT when there is no terminal to ask on, or the two differ
 */
export async function readNewPassword(io: Io): Promise<string> {
  const given = io.env['VIALBOOK_PASSWORD'];
  if (given) return given;
  if (!io.stdinIsTerminal) {
    throw new AppError(
      'INVALID_INPUT',
      'Set VIALBOOK_PASSWORD, or run this in a terminal to be asked for it.',
    );
  }
  const password = await ask(io, 'Password: ', false);
  if ((await ask(io, 'Again: ', false)) !== password) {
    throw new AppError('INVALID_INPUT', 'Passwords do not match');
  }
  return password;
}

/**
 * Asks before something that reaches somebody else. `--yes` answers ahead.
 * @returns whether to go on
 * @throws AppError INVALID_INPUT without `--yes` and without a terminal
 */
export async function confirm(io: Io, question: string, yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (!io.stdinIsTerminal)
    throw new AppError('INVALID_INPUT', `${question} Add --yes to do it without being asked.`);
  const answer = await ask(io, `${question} [y/N] `, true);
  return /^y(es)?$/i.test(answer.trim());
}
