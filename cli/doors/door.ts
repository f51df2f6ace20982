import type { Ctx } from '#app/platform/access/context.server.ts';
import type { Io } from '../io.ts';
import type { ServerLogin } from '../server/login-file.ts';

/** The two ways to do what a command asks for. Each is loaded only when it is taken. */
export interface Doors<D> {
  /** On the database here. */
  here: () => Promise<(ctx: Ctx) => D>;
  /** Through the API of the server that the user is logged in to. */
  there: () => Promise<(login: ServerLogin) => D>;
}

/**
 * Runs a command's work on the database here or on the server, as the command line says.
 * @throws AppError what `work` throws
 */
export async function throughDoor<D, T>(
  io: Io,
  { here, there }: Doors<D>,
  work: (door: D) => Promise<T>,
  options: { opensSecrets?: boolean } = {},
): Promise<T> {
  if (io.login) return work((await there())(io.login));
  const [open, { withContext }] = await Promise.all([here(), import('../context.ts')]);
  return withContext(io, (ctx) => work(open(ctx)), options);
}
