import { isAppError } from '#app/domain/errors.ts';
import { action, examples, type Session, withCommonOptions } from '../command.ts';
import type { Io } from '../io.ts';
import { EXIT, writeJson, writeNote, writeOutcome } from '../output.ts';
import { forgetLogin, readLogin } from '../server/login-file.ts';

async function run(io: Io, { json }: { json?: boolean }): Promise<number> {
  // A damaged file is removed, too.
  const login = await readLogin(io.env).catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    return null;
  });
  await forgetLogin(io.env);
  if (json) await writeJson(io, { url: login?.url ?? null });
  else if (login === null) await writeNote(io, 'You are not logged in.\n');
  else {
    await writeOutcome(io, `Logged out of ${login.url}.\n`);
    await writeNote(io, `The token works until you revoke it: ${login.url}/dashboard/profile/tokens\n`);
  }
  return EXIT.done;
}

/** Adds `vialbook logout`. */
export function register(session: Session): void {
  const command = session.program
    .command('logout')
    .description('Forget the login to a server. Its token works until you revoke it in your profile.')
    .addHelpText('after', examples('vialbook logout'));
  withCommonOptions(command).action(
    action<{ json?: boolean }>(session, (options) => run(session.io, options)),
  );
}
