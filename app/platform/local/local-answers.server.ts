import { createHash } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { version } from '../../../package.json';
import { AppError, type ErrorCode, type FieldErrors, isAppError } from '#app/domain/errors.ts';

/**
 * A running server answers a few questions of the terminal on a socket in the data directory, because opening the database
 * takes a command most of its time. Who can reach the socket can also read the database, so it asks for no password.
 */
interface Place {
  DATA_DIR: string;
  MONGODB_URI?: string | undefined;
}

/** The operations that can be asked for, by name, each about the account with this address. */
export type LocalAnswers = Readonly<Record<string, (email: string) => Promise<unknown>>>;

interface Reply {
  answer?: unknown;
  error?: { code: ErrorCode; message: string; fields: FieldErrors | undefined };
}

const socketIn = ({ DATA_DIR }: Place): string => path.join(path.resolve(DATA_DIR), 'terminal.sock');

/** Equal for programs of one version that use one database. */
const keyOf = ({ MONGODB_URI = '' }: Place): string =>
  createHash('sha256').update(`${version}\n${MONGODB_URI}`).digest('hex');

const KEY = 'vialbook-key';
const ACCOUNT = 'vialbook-account';

/** Longer paths of sockets are refused, or cut, by some systems. */
const LONGEST_SOCKET_PATH = 100;

/** The status for a program that uses another database or is of another version, and for unknown questions. */
const DIFFERENT = 409;

async function replyTo(answer: () => Promise<unknown>): Promise<Reply> {
  try {
    return { answer: await answer() };
  } catch (error) {
    // Anything else happens again, and is reported, when the command opens the database itself.
    if (!isAppError(error)) throw error;
    return { error: { code: error.code, message: error.message, fields: error.fields } };
  }
}

async function respond(
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
  key: string,
  answers: ReadonlyMap<string, (email: string) => Promise<unknown>>,
): Promise<void> {
  const answer = answers.get(url.slice(1));
  if (headers[KEY] !== key || answer === undefined) return void response.writeHead(DIFFERENT).end();
  const reply = await replyTo(() => answer(decodeURIComponent(String(headers[ACCOUNT] ?? ''))));
  response.end(serialize(reply));
}

/** A reply takes milliseconds; a server that is too busy for it is not waited for. */
const PATIENCE_MS = 2000;

/** Whether a server answers on the socket. */
const isAnswered = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = request({ socketPath, method: 'HEAD', timeout: PATIENCE_MS });
    probe.on('response', () => resolve(true));
    probe.on('error', () => resolve(false));
    // A server that is too busy to answer is there all the same.
    probe.on('timeout', () => {
      resolve(true);
      probe.destroy();
    });
    probe.end();
  });

/**
 * Begins to answer. Where there can be no socket, or another server answers on it, commands open the database themselves.
 * @returns ends it
 */
export async function serveLocally(place: Place, answers: LocalAnswers): Promise<() => Promise<void>> {
  const nothing = () => Promise.resolve();
  const socketPath = socketIn(place);
  if (process.platform === 'win32' || Buffer.byteLength(socketPath) > LONGEST_SOCKET_PATH) return nothing;
  if (await isAnswered(socketPath)) return nothing;
  const [key, known] = [keyOf(place), new Map(Object.entries(answers))];
  const server = createServer((incoming, response) => {
    respond(incoming, response, key, known).catch(() => response.destroy());
  });
  try {
    // Left by a server that was killed.
    await rm(socketPath, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socketPath, resolve);
    });
    await chmod(socketPath, 0o600);
  } catch {
    server.close();
    return nothing;
  }
  server.unref();
  return async () => {
    server.close();
    server.closeAllConnections();
    await rm(socketPath, { force: true });
  };
}

/**
 * Asks the server that runs on this data directory.
 * @returns null when none answers, or one with another database or of another version
 * @throws AppError what the operation throws
 */
export async function askLocally<T>(
  place: Place,
  question: string,
  email: string,
): Promise<{ answer: T } | null> {
  const headers = { [KEY]: keyOf(place), [ACCOUNT]: encodeURIComponent(email) };
  const asked = { socketPath: socketIn(place), path: `/${question}`, headers, timeout: PATIENCE_MS };
  const body = await new Promise<Buffer | null>((resolve) => {
    const sent = request(asked, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', () => resolve(null));
      response.on('end', () => resolve(response.statusCode === 200 ? Buffer.concat(pieces) : null));
    });
    sent.on('timeout', () => sent.destroy(new Error('too slow')));
    sent.on('error', () => resolve(null));
    sent.end();
  });
  if (body === null) return null;
  const { answer, error } = deserialize(body) as Reply;
  if (error === undefined) return { answer: answer as T };
  throw new AppError(error.code as Exclude<ErrorCode, 'CONFLICT'>, error.message, {
    ...(error.fields !== undefined && { fields: error.fields }),
  });
}
