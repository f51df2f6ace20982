import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { action, examples, type Session, withCommonOptions } from '../command.ts';
import type { Io } from '../io.ts';
import { EXIT } from '../output.ts';

interface ServeOptions {
  json?: boolean;
  port?: string;
  host?: string;
}

/**
 * Memory that threads gave back returns to the system with few arenas and a fixed bound of what is kept; read when a
 * process begins, so it needs its own.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Runs the web server of this package in a process of its own and passes signals on to it.
 * @returns its exit code
 */
async function serve(io: Io, { port, host }: ServeOptions): Promise<number> {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    ...ALLOCATOR,
    ...io.env,
    ...(port !== undefined && { PORT: port }),
    ...(host !== undefined && { HOST: host }),
  };
  // Wrong settings are this command's wrong input; the server itself would call them a failed start.
  parseSettings(env);
  const file = createRequire(import.meta.url).resolve('#web-server');
  const server = spawn(process.execPath, [file], { env, stdio: 'inherit' });
  // Not the signal itself: Ctrl+C reaches the server by the terminal, too, and a second one would cut it off.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => server.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => resolve(code ?? EXIT.failed));
  });
}

/** Adds `vialbook serve`. */
export function register(session: Session): void {
  const command = session.program
    .command('serve')
    .description(
      'Start the web server, with the database in DATA_DIR (./data) unless MONGODB_URI names another. Its log, JSON lines, is on stdout.',
    )
    .option('--port <n>', 'port to listen on, instead of PORT (3000)')
    .option('--host <address>', 'address to listen on, instead of HOST (127.0.0.1)')
    .addHelpText('after', examples('vialbook serve', 'DATA_DIR=/srv/vialbook vialbook serve --port 8080'));
  withCommonOptions(command).action(
    action(
      session,
      (options: ServeOptions) => serve(session.io, options),
      (field) => ({ PORT: '--port or PORT', HOST: '--host or HOST' })[field] ?? field,
    ),
  );
}
