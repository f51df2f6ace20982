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
 * Accepts connections at once, boots the application behind them, and serves it until a signal ends it.
 * @param load returns the Remix build
 */
export function serve(load: () => ServerBuild): void {
  start(load).catch(failToStart);
}

/** Node publishes each request on this channel before the server's listeners run. */
const REQUEST_START = 'http.server.request.start';

/**
 * Makes the build work behind a foreign server: `remix-serve`, or that of a host for Remix apps. Such a server caches every
 * static file forever, accepts bodies of any size from any origin, sets no headers and opens no database. So the build starts
 * the application itself and replaces the server's handler at the first request. Process, port and socket belong to the
 * server; everything else is the same code as behind our own entry.
 */
export function serveBehind(build: ServerBuild): void {
  try {
    const application = createApplication(() => build);
    const { settings, log, handler } = application;
    // For servers that would otherwise listen on every interface.
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
