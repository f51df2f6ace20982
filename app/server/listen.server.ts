import type { Server, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Settings } from '#app/domain/settings/settings.ts';
import { onStopSignal } from '#app/platform/stop-signal.server.ts';

/** How a server shuts down. */
interface Ending {
  log: Logger;
  /** Called once, after the last request has ended. */
  onClose(): Promise<void>;
  /** Ends the process. */
  exit(code: number): void;
}

/**
 * How long a connection may be idle, in ms. Longer than a proxy keeps it (nginx: 60 s), so that the proxy closes it first.
 * Otherwise the proxy may send a request just as the connection closes, and its user gets a 502.
 */
export const KEEP_ALIVE_MS = 75_000;

/** How long running requests may still take after SIGTERM, in ms. */
const GRACE_MS = 10_000;

function opened(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is in use. Set PORT to a free port, for example PORT=${port + 1}.`
          : `Cannot listen on ${host}:${port}: ${error.message}`;
      reject(new Error(reason));
    });
    server.listen(port, host, () => resolve());
  });
}

/** How often idle connections are closed during shutdown, in ms. */
const CLOSE_IDLE_MS = 100;

const closeAfterwards = (response: ServerResponse) => {
  if (!response.headersSent) response.setHeader('Connection', 'close');
};

/**
 * Stops accepting connections, lets running requests end, and closes the rest after {@link GRACE_MS}. Every response from
 * now on closes its connection, so that a proxy does not reuse it for a server that is gone.
 */
function drained(server: Server, running: ReadonlySet<ServerResponse>): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    server.prependListener('request', (_request, response: ServerResponse) => closeAfterwards(response));
    for (const response of running) closeAfterwards(response);
    server.close(() => {
      clearTimeout(force);
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** The responses that are not finished yet. */
function runningAnswers(server: Server): ReadonlySet<ServerResponse> {
  const running = new Set<ServerResponse>();
  server.prependListener('request', (_request, response: ServerResponse) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  return running;
}

/** Ends the process with exit code 0 on SIGTERM or SIGINT, and with 1 after an uncaught error; running requests finish first. */
function endOnSignals(server: Server, { log, onClose, exit }: Ending): void {
  const running = runningAnswers(server);
  let ending = false;
  const end = async (reason: string, exitCode: number) => {
    if (ending) return;
    ending = true;
    log.info({ reason }, 'stopping');
    await drained(server, running);
    await onClose().catch((error: unknown) => log.error({ err: error }, 'stop failed'));
    exit(exitCode);
  };
  onStopSignal((signal) => void end(signal, 0));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    void end('uncaught exception', 1);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    void end('unhandled rejection', 1);
  });
}

/** Time limits for connections, in ms. */
export const CONNECTION_TIMES = {
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
};

/** Listens until the process is told to stop. Rejects with what to do if the port is not available. */
export async function listen(
  server: Server,
  { PORT, HOST }: Pick<Settings, 'PORT' | 'HOST'>,
  ending: Ending,
): Promise<void> {
  endOnSignals(server, ending);
  await opened(server, PORT, HOST);
}
