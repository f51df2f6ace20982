import type { Ctx } from '#app/platform/access/context.server.ts';
import { askLocally } from '#app/platform/local/local-answers.server.ts';
import type { Io } from './io.ts';

/**
 * The answer of the server that runs on the same data directory or, if there is none, what `work` reads from the database.
 * @param load loads `work` together with what it needs, which costs more than the rest of the command
 * @throws AppError what the operation throws
 */
export async function readLocally<T>(
  io: Io,
  question: string,
  email: string,
  load: () => Promise<(ctx: Ctx) => Promise<T>>,
): Promise<T> {
  const { DATA_DIR, MONGODB_URI } = io.env;
  const place = { DATA_DIR: DATA_DIR || './data', MONGODB_URI: MONGODB_URI || undefined };
  const found = await askLocally<T>(place, question, email);
  if (found !== null) return found.answer;
  const [work, { withContext }] = await Promise.all([load(), import('./context.ts')]);
  return withContext(io, work);
}
