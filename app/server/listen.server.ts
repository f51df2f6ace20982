import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Settings } from '#app/domain/settings/settings.ts';

/** What happens at the end of a server. */
export interface Ending {
  log: Logger;
  /** Called once when no request runs any more. */
  onClose(): Promise<void>;
  /** Ends the process; the entry's business. */
  exit(code: number): void;
}

/**
 * How long a connection may be idle, in ms: longer than a proxy in front keeps it (nginx: 60 s), so that the proxy is the one
 * that closes it. The other way round it may send a request just as the connection ends, and its user is told 502.
 */
export const KEEP_ALIVE_MS = 75_000;

/** How long running requests may take after SIGTERM, in ms. */
const GRACE_MS = 10_000;

function opened(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is in use. Set PORT to a free one, for example PORT=${port + 1}.`
          : `Cannot listen on ${host}:${port}: ${error.message}`;
      reject(new Error(reason));
    });
    server.listen(port, host, () => resolve());
  });
}

/** How often connections that have become idle are closed while the server ends, in ms. */
const CLOSE_IDLE_MS = 100;

const sayClose = (response: ServerResponse) => {
  if (!response.headersSent) response.setHeader('Connection', 'close');
};

/**
 * Stops taking connections, lets running requests end, closes the rest after {@link GRACE_MS}. Every answer from here on
 * ends its connection and says so, since a proxy would keep it and send the next request to a server that is gone.
 */
function drained(server: Server, running: ReadonlySet<ServerResponse>): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    server.prependListener('request', (_request, response: ServerResponse) => sayClose(response));
    for (const response of running) sayClose(response);
    server.close(() => {
      clearTimeout(force);
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** The answers that are not finished yet. */
function runningAnswers(server: Server): ReadonlySet<ServerResponse> {
  const running = new Set<ServerResponse>();
  server.prependListener('request', (_request, response: ServerResponse) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  return running;
}

/**
 * Ends the process with exit code 0 on SIGTERM or SIGINT, and with 1 after an error nobody caught.
 * @returns takes the server whose requests are then let end
 */
export function endOnSignals({ log, onClose, exit }: Ending): (server: Server) => void {
  let drain = (): Promise<void> => Promise.resolve();
  let ending = false;
  const end = async (reason: string, exitCode: number) => {
    if (ending) return;
    ending = true;
    log.info({ reason }, 'stopping');
    await drain();
    await onClose().catch((error: unknown) => log.error({ err: error }, 'stop failed'));
    exit(exitCode);
  };
  const ownSignals = () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.removeAllListeners(signal).once(signal, () => void end(signal, 0));
  };
  ownSignals();
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    void end('uncaught exception', 1);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    void end('unhandled rejection', 1);
  });
  return (server) => {
    // Whoever made the server may mean to close it on a signal, too.
    ownSignals();
    const running = runningAnswers(server);
    drain = () => drained(server, running);
  };
}

/** How long connections may take, in ms, whoever made the server. */
export const CONNECTION_TIMES = {
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
};

/** Listens, until the process is told to end. Rejects with what to do when the port cannot be had. */
export async function listen(
  app: RequestListener,
  { PORT, HOST }: Pick<Settings, 'PORT' | 'HOST'>,
  ending: Ending,
): Promise<void> {
  const server = createServer(CONNECTION_TIMES, app);
  const endWith = endOnSignals(ending);
  endWith(server);
  await opened(server, PORT, HOST);
}
