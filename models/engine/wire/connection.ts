import type { Socket } from 'node:net';
import { run, turn } from '../budget.ts';
import type { Document } from '../values/types.ts';
import type { LogSink } from '../log.ts';
import { Framer } from './framer.ts';
import { LIMITS } from './limits.ts';
import { encodeMessage, parseMessage, WireError, type RefusedRequest, type WireRequest } from './message.ts';

/** The state of one connected client. */
export interface Client {
  readonly id: number;
  /** Set once the client has signed in; stays false if no credentials are required. */
  authenticated: boolean;
  /** The authentication exchange in progress, if any. */
  conversation?: unknown;
  /** True once the client has closed its side. */
  isGone: boolean;
  /** Called when the client disconnects while its command is running. */
  onGone: (() => void) | null;
}

/** Answers one request; errors are replies too. One that throws closes the connection. */
export type Responder = (request: WireRequest | RefusedRequest, client: Client) => Promise<Document>;

/**
 * Serves one client until it disconnects: one message at a time, in order. While a command runs, only as much is read as
 * needed to notice a disconnect, and nothing while the client does not accept its reply. So a slow client costs at most one
 * request and one reply, and nobody waits for it.
 * @param signInMs how long a client may stay connected without signing in, if it must sign in
 */
export async function serveConnection(
  socket: Socket,
  client: Client,
  respond: Responder,
  log: LogSink,
  signInMs: number = SIGN_IN_MS,
): Promise<void> {
  const framer = new Framer(() => (client.authenticated ? LIMITS.messageBytes : LIMITS.strangerMessageBytes));
  const deadline = client.authenticated
    ? undefined
    : setTimeout(() => leaveStranger(socket, client), signInMs);
  socket.setNoDelay(true);
  try {
    for await (const chunk of incoming(socket, client)) {
      for (const bytes of framer.push(chunk)) await answer(socket, bytes, client, respond);
    }
    if (framer.pending > 0) throw new WireError('the connection ended inside a message');
  } catch (error) {
    if (error instanceof WireError)
      log('warn', 'closing a connection after a malformed message', {
        client: client.id,
        reason: error.message,
      });
    else if (!isHangUp(error))
      log('error', 'closing a connection after a failure', { client: client.id, reason: String(error) });
  } finally {
    clearTimeout(deadline);
    socket.destroySoon();
  }
}

/** How long a client may stay connected without signing in, in ms. */
const SIGN_IN_MS = 10_000;

function leaveStranger(socket: Socket, client: Client): void {
  if (!client.authenticated) socket.destroy();
}

/** Incoming chunks, at most two ahead of the reader: a socket only reports that it was closed while it is read. */
async function* incoming(socket: Socket, client: Client): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = [];
  let failure: Error | null = null;
  let wake = () => undefined as void;
  const gone = (error?: Error) => {
    failure ??= error ?? null;
    client.isGone = true;
    client.onGone?.();
    wake();
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (chunks.length > 1) socket.pause();
    wake();
  });
  socket.once('error', gone);
  socket.once('end', () => gone());
  socket.once('close', () => gone());
  for (;;) {
    const chunk = chunks.shift();
    if (chunk) {
      socket.resume();
      yield chunk;
    } else if (failure) throw failure as Error;
    else if (client.isGone) return;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}

async function answer(socket: Socket, bytes: Buffer, client: Client, respond: Responder): Promise<void> {
  const request = await run(parseMessage(bytes));
  const reply = await respond(request, client);
  if (request.moreToCome) return;
  let isFirst = true;
  for (const piece of encodeMessage(request, reply)) {
    if (!isFirst) await turn();
    isFirst = false;
    await send(socket, piece);
  }
}

/** Resolves when the client can accept more; rejects when it is gone. */
function send(socket: Socket, bytes: Buffer): Promise<void> | void {
  let settle: ((error?: Error | null) => void) | undefined;
  const hasRoom = socket.write(bytes, (error) => settle?.(error));
  if (hasRoom) return;
  return new Promise((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve());
  });
}

const HANG_UPS = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ABORT_ERR',
  'ECONNABORTED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && HANG_UPS.has(String(error.code));
}
