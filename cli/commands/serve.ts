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
 * Few arenas and a fixed trim threshold make malloc return freed memory to the system. Malloc reads them when a process
 * starts, so the server runs in its own.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** The environment of the server's process: options go before variables, and those before what is usual. */
export const serverEnvironment = (
  env: Readonly<Partial<NodeJS.ProcessEnv>>,
  { port, host }: ServeOptions,
): NodeJS.ProcessEnv => ({
  NODE_ENV: 'production',
  ...ALLOCATOR,
  ...env,
  ...(port !== undefined && { PORT: port }),
  ...(host !== undefined && { HOST: host }),
});

/**
 * Runs the web server in a separate process and forwards signals to it.
 * @returns its exit code
 */
async function serve(io: Io, options: ServeOptions): Promise<number> {
  const env = serverEnvironment(io.env, options);
  // Checked here so that a wrong setting is reported as invalid input instead of a failed start.
  parseSettings(env);
  const file = createRequire(import.meta.url).resolve('#web-server');
  const server = spawn(process.execPath, [file], { env, stdio: 'inherit' });
  // Closing the terminal stops the server like any other signal. On Windows, a signal for a child ends it at once, and Ctrl+C
  // reaches it without help.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.platform === 'win32' || server.kill('SIGTERM'));
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
      'Start the web server, with the database in DATA_DIR (./data) unless MONGODB_URI names another. It writes its log to stdout as JSON lines.',
    )
    .option('--port <n>', 'port to listen on, instead of PORT (3000)')
    .option('--host <address>', 'address to listen on, instead of HOST (127.0.0.1)')
    .addHelpText('after', examples('vialbook serve', 'DATA_DIR=/srv/vialbook vialbook serve --port 8080'));
  withCommonOptions(command, { json: false, quiet: false }).action(
    action(
      session,
      (options: ServeOptions) => serve(session.io, options),
      (field) => ({ PORT: '--port or PORT', HOST: '--host or HOST' })[field] ?? field,
    ),
  );
}
