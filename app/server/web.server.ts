import type { ServerBuild } from '@remix-run/node';
import { createApplication, tellFailedStart } from './application.server.ts';
import { listen } from './listen.server.ts';

export { serveBehind } from './stock-server.server.ts';

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
  start(load).catch((error: unknown) => {
    tellFailedStart(error);
    process.exit(1);
  });
}
