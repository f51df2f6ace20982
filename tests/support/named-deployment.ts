import { createHash } from 'node:crypto';
import path from 'node:path';

/** What a process of the program is started with. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Signs and seals in all processes that share a database of the named deployment. */
const SECRET = 'a secret for databases that are dropped afterwards';

/** Whether the data are in the embedded engine, not in a deployment that is being tried: its files can be looked at. */
export const onEngine = !process.env.PARITY_URI;

function databaseOf(uri: string, directory: string): string {
  const { PARITY_PREFIX: prefix = 'parity' } = process.env;
  const name = createHash('sha256').update(path.resolve(directory)).digest('hex').slice(0, 12);
  const address = new URL(uri);
  address.pathname = `/${prefix}_${name}`;
  return address.href;
}

/**
 * The environment of a process whose data are in `DATA_DIR`: as it is, or under `npm run parity` with a database of the
 * deployment that is being tried, always the same one for the same directory. The one place where a test's database is
 * chosen.
 */
export function databaseEnv<E extends Environment>(env: E): E {
  const { PARITY_URI: uri } = process.env;
  const { DATA_DIR: directory } = env;
  if (!uri || directory === undefined || env['MONGODB_URI'] !== undefined) return env;
  return { ...env, MONGODB_URI: databaseOf(uri, directory), SESSION_SECRET: env['SESSION_SECRET'] ?? SECRET };
}
