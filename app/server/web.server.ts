import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import type { ServerBuild } from '@remix-run/node';
import { createApplication, tellFailedStart } from './application.server.ts';
import { CONNECTION_TIMES, endOnSignals, listen } from './listen.server.ts';

function failToStart(error: unknown): never {
  tellFailedStart(error);
  process.exit(1);
}

async function start(load: () => ServerBuild): Promise<void> {
  const environment = process.env;
  environment.NODE_ENV ??= 'production';
  const application = createApplication(load);
  const { settings, log, handler } = application;
  await listen(handler, settings, {
    log,
    onClose: () => application.stop(),
    exit: (code) => process.exit(code),
  });
  await application.start();
}

/**
 * Takes connections at once, boots the application behind them, and serves it until a signal ends it.
 * @param load gives the Remix build
 */
export function serve(load: () => ServerBuild): void {
  start(load).catch(failToStart);
}

/** Node tells this channel of a request before the server's listeners hear of it. */
const REQUEST_START = 'http.server.request.start';

/**
 * Makes the build work behind a server that is not ours and knows nothing of the rest: `remix-serve`, or what a host of
 * Remix apps runs. Such a server caches every static file for good, takes bodies of any size from any origin, sets no
 * headers and opens no database. So the build starts the application by itself, and at the first request it takes the
 * place of that server's handler: the process, the port and the socket are the server's, all else is the same code that
 * runs behind our own entry.
 */
export function serveBehind(build: ServerBuild): void {
  try {
    const application = createApplication(() => build);
    const { settings, log, handler } = application;
    // Servers that listen everywhere unless told otherwise read it next.
    process.env.HOST ||= settings.HOST;
    const endWith = endOnSignals({
      log,
      onClose: () => application.stop(),
      exit: (code) => process.exit(code),
    });
    const takeOver = (message: unknown) => {
      unsubscribe(REQUEST_START, takeOver);
      const { server } = message as { server: Server };
      Object.assign(server, CONNECTION_TIMES);
      server.removeAllListeners('request').on('request', handler);
      endWith(server);
    };
    subscribe(REQUEST_START, takeOver);
    application.start().catch(failToStart);
  } catch (error) {
    failToStart(error);
  }
}
