import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { AppError } from '#app/domain/errors.ts';
import type { Io } from './io.ts';

/** Asks one question. A secret is not shown while it is typed. */
export type Ask = (question: string, kind?: 'shown' | 'secret') => Promise<string>;

/**
 * Asks questions on stderr. All share one reader, so that nothing typed ahead is lost.
 * @throws AppError INVALID_INPUT when the input ends before an answer
 */
export async function converse<T>(io: Io, work: (ask: Ask) => Promise<T>): Promise<T> {
  let isShown = true;
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (isShown) io.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: io.stdin, output: echo, terminal: true });
  // Ctrl-C ends the questions, as the end of the input does.
  lines.once('SIGINT', () => lines.close());
  const typed = lines[Symbol.asyncIterator]();
  try {
    return await work(async (question, kind = 'shown') => {
      isShown = kind === 'shown';
      io.stderr.write(question);
      const { value, done } = await typed.next();
      if (!isShown || done) io.stderr.write('\n');
      if (done) throw new AppError('INVALID_INPUT', 'Nothing was entered.');
      return value;
    });
  } finally {
    lines.close();
  }
}

/**
 * A new password: from `VIALBOOK_PASSWORD`, or typed twice without being shown.
 * @throws AppError INVALID_INPUT when there is no terminal to ask in, or the two passwords differ
 */
export async function readNewPassword(io: Io): Promise<string> {
  const fromEnvironment = io.env['VIALBOOK_PASSWORD'];
  if (fromEnvironment) return fromEnvironment;
  if (!io.stdinIsTerminal) {
    throw new AppError(
      'INVALID_INPUT',
      'Set VIALBOOK_PASSWORD, or run this command in a terminal and type the password.',
    );
  }
  return converse(io, async (ask) => {
    const password = await ask('Password: ', 'secret');
    if (password !== (await ask('Again: ', 'secret')))
      throw new AppError('INVALID_INPUT', 'Passwords do not match');
    return password;
  });
}

/**
 * Asks for confirmation. `--yes` skips the question.
 * @returns whether to continue
 * @throws AppError INVALID_INPUT without `--yes` and without a terminal
 */
export async function confirm(io: Io, question: string, yes: boolean): Promise<boolean> {
  if (yes) return true;
  if (!io.stdinIsTerminal) throw new AppError('INVALID_INPUT', `${question} Add --yes to confirm.`);
  return converse(io, async (ask) => isYes(await ask(`${question} [y/N] `)));
}

const isYes = (answer: string): boolean => /^y(es)?$/i.test(answer.trim());

/**
 * Asks for confirmation and, unless given, for a reason.
 * @returns the reason (empty when nobody can be asked; the operation then reports it as missing), or null for "no"
 * @throws AppError INVALID_INPUT without `--yes` and without a terminal
 */
export async function confirmWithReason(
  io: Io,
  question: string,
  { yes, reason }: { yes: boolean; reason: string | undefined },
): Promise<string | null> {
  if (reason !== undefined || !io.stdinIsTerminal)
    return (await confirm(io, question, yes)) ? (reason ?? '') : null;
  const why = 'Reason (recorded in the audit trail): ';
  return converse(io, async (ask) => {
    const typed = await ask(why);
    return yes || isYes(await ask(`${question} [y/N] `)) ? typed : null;
  });
}
