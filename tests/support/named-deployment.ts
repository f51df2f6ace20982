import { createHash } from 'node:crypto';
import path from 'node:path';
import { ConnectionString } from 'mongodb-connection-string-url';

/** The environment of a process of the program. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The secret shared by all processes that use a database of the named deployment. */
const SECRET = 'a secret for databases that are dropped afterwards';

/** Whether the data is in the embedded engine rather than a tested deployment, so that its files can be inspected. */
export const onEngine = !process.env.PARITY_URI;

function databaseOf(uri: string, directory: string): string {
  const { PARITY_PREFIX: prefix = 'parity' } = process.env;
  const name = createHash('sha256').update(path.resolve(directory)).digest('hex').slice(0, 12);
  const address = new ConnectionString(uri);
  address.pathname = `/${prefix}_${name}`;
  return address.href;
}

/**
 * The environment of a process with its data in `DATA_DIR`: unchanged, or under `node scripts/parity.mjs` with a database of the
 * tested deployment, always the same one for the same directory. Tests choose their database only here.
 */
export function databaseEnv<E extends Environment>(env: E): E {
  const { PARITY_URI: uri } = process.env;
  const { DATA_DIR: directory } = env;
  if (!uri || !directory || env['MONGODB_URI'] !== undefined) return env;
  return { ...env, MONGODB_URI: databaseOf(uri, directory), SESSION_SECRET: env['SESSION_SECRET'] ?? SECRET };
}
