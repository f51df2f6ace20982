import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerBuild } from '@remix-run/node';
import { createApplication, tellFailedStart, ROOT } from './application.server.ts';
import { listen } from './listen.server.ts';

/** The Remix build itself; `index.js` beside it is for servers that are not ours. */
const serverBuild = path.join(ROOT, 'build/server/remix.js');

/** Takes connections at once, boots the application behind them, and serves it until a signal ends it. */
async function main(): Promise<void> {
  const environment = process.env;
  environment.NODE_ENV ??= 'production';
  if (!existsSync(serverBuild))
    throw new Error('There is no build yet. Run "npm run build", or start with "npm start".');
  const application = createApplication(
    async () => (await import(pathToFileURL(serverBuild).href)) as ServerBuild,
  );
  const { settings, log, handler } = application;
  await listen(handler, settings, {
    log,
    onClose: () => application.stop(),
    exit: (code) => process.exit(code),
  });
  await application.start();
}

main().catch((error: unknown) => {
  tellFailedStart(error);
  process.exit(1);
});
