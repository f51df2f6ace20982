import { newSessionSecret, newVapidKeys } from '#app/platform/secrets/server-secrets.server.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';

async function run(io: Io, { json }: { json?: boolean }): Promise<number> {
  const { publicKey, privateKey } = await newVapidKeys();
  const keys = {
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    SESSION_SECRET: newSessionSecret(),
  };
  if (json) await writeJson(io, keys);
  else for (const [name, value] of Object.entries(keys)) await write(io.stdout, `${name}=${value}\n`);
  return EXIT.done;
}

const HELP = `
Examples:
  vialbook keys >> .env
  vialbook keys --json`;

/** Adds `vialbook keys`. */
export function register(session: Session): void {
  const command = session.program
    .command('keys')
    .description(
      'Generate push keys and a session secret, as lines for an environment file. Nothing is stored.',
    );
  command.addHelpText('after', HELP);
  withCommonOptions(command, { quiet: false }).action(
    action(session, (options: { json?: boolean }) => run(session.io, options)),
  );
}
