import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ServerBuild } from '@remix-run/node';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { isAppError } from '#app/domain/errors.ts';
import { createLog } from '#app/platform/log/log.server.ts';
import { createApp } from './app.server.ts';
import { listen } from './listen.server.ts';
import type { Lifecycle } from '#app/platform/lifecycle.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const serverBuild = path.join(root, 'build/server/index.js');

/** Reads the settings, boots the application behind the Remix build, and serves it until a signal ends it. */
async function main(): Promise<void> {
  process.env.NODE_ENV ??= 'production';
  const settings = parseSettings(process.env);
  const log = createLog(settings.LOG_LEVEL);
  if (!existsSync(serverBuild))
    throw new Error('There is no build yet. Run "npm run build", or start with "npm start".');
  const build = (await import(pathToFileURL(serverBuild).href)) as ServerBuild;
  const lifecycle = build.entry.module as unknown as Lifecycle;
  await lifecycle.boot(settings, log);
  const app = createApp({
    settings,
    log,
    build,
    clientDirectory: path.join(root, 'build/client'),
    answered: (request) => lifecycle.answered(request),
  });
  await listen(app, {
    settings,
    log,
    onClose: () => lifecycle.shutdown(),
    exit: (code) => process.exit(code),
  });
}

try {
  await main();
} catch (error) {
  // A start that cannot work says why in words; a stack would bury it.
  process.stderr.write(
    `${isAppError(error) || !(error instanceof Error) ? String((error as Error).message) : error.message}\n`,
  );
  process.exit(1);
}
