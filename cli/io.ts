import type { Readable, Writable } from 'node:stream';
import type { ServerLogin } from './server/login-file.ts';

/** A command's streams and environment. Tests pass their own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without a terminal nothing prompts. */
  readonly stdinIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  /** stdout is a terminal and `NO_COLOR` is not set. */
  readonly colour: boolean;
  /** `--quiet` was given: nothing but errors and data is written. Set when a command begins. */
  isQuiet?: boolean;
  /** The server that the command works on; undefined for the database here. Set when a command begins. */
  login?: ServerLogin | undefined;
}

/** The streams and environment of this process. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return {
    stdin,
    stdout,
    stderr,
    env,
    stdinIsTerminal: stdin.isTTY === true,
    stderrIsTerminal: stderr.isTTY === true,
    stdoutIsTerminal: stdout.isTTY === true,
    colour: stdout.isTTY === true && !env['NO_COLOR'],
  };
}

/** The reader of our output has gone (`| head`): not a failure, but a reason to stop. */
export class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
}

/** True for an {@link OutputClosedError}, including one created by another bundle (hence no `instanceof`). */
export function isOutputClosed(error: unknown): boolean {
  return error instanceof Error && error.name === 'OutputClosedError';
}

const CLOSED_CODES = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ECONNRESET']);

const isClosed = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CLOSED_CODES.has(String(error.code));

/** Resolves once the stream accepts more data. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      stream.off('drain', settle).off('error', settle).off('close', closed);
      if (!error) resolve();
      else reject(isClosed(error) ? new OutputClosedError() : error);
    };
    const closed = () => settle(Object.assign(new Error(), { code: 'EPIPE' }));
    stream.once('drain', settle).once('error', settle).once('close', closed);
  });
}

/**
 * Writes, and waits for a slow reader so that memory stays constant.
 * @throws OutputClosedError when the reader has closed the stream
 */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (stream.destroyed || stream.errored) throw new OutputClosedError();
  if (!stream.write(text)) await drained(stream);
}
