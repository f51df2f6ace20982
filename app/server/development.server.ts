import type { Server } from 'node:http';
import type { ServerBuild } from '@remix-run/node';
import type { ViteDevServer } from 'vite';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { createLog } from '#app/platform/log/log.server.ts';
import { createApp } from './app.server.ts';
import { lifecycleOf, markAsOwnServer, sayRunning, type Lifecycle } from './lifecycle.server.ts';
import { listen } from './listen.server.ts';

/**
 * Serves the sources through Vite's middleware, as Remix's documentation has it for a server of one's own. Loading the build again
 * after a change costs nothing for what did not change; where the application's own start has changed, it is closed and started again.
 * @param stopWatching ends the watching of what is bundled beside Vite
 */
export async function serveDevelopment(
  vite: ViteDevServer,
  server: Server,
  stopWatching: () => Promise<void>,
): Promise<void> {
  const settings = parseSettings(process.env);
  const log = createLog(settings.LOG_LEVEL);
  markAsOwnServer();
  let running: Lifecycle | null = null;
  let restarted = Promise.resolve();

  async function restart(next: Lifecycle): Promise<void> {
    if (next.boot === running?.boot) return;
    await running?.shutdown();
    running = null;
    await next.boot(settings, log);
    running = next;
  }

  async function build(): Promise<ServerBuild> {
    const loaded = (await vite.ssrLoadModule('virtual:remix/server-build')) as ServerBuild;
    const next = lifecycleOf(loaded);
    // After a failed start, the next request tries again.
    restarted = restarted.catch(() => undefined).then(() => restart(next));
    await restarted;
    return loaded;
  }

  const app = createApp({
    settings,
    log,
    files: vite.middlewares,
    answered: (request) => running?.answered(request),
  });
  app.serve({ build, mode: 'development' }, []);
  server.on('request', app.handler);
  await build();
  await listen(server, settings, {
    log,
    onClose: async () => {
      await running?.shutdown();
      await stopWatching();
      await vite.close();
    },
    exit: (code) => process.exit(code),
  });
  sayRunning(settings);
}
