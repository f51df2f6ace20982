import { promises as dns, type LookupAddress, type LookupAllOptions } from 'node:dns';

/** Resolves a host name to its addresses. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How long one attempt waits for a name server, how many attempts there are, and how long a lookup may take in all. */
const ATTEMPT_MS = 1_000;
const ATTEMPTS = 2;
const LONGEST_MS = 3_000;

/** A name without an address. `ETIMEOUT`: its name server did not answer in time; `ENOTFOUND`: there is no such name. */
class LookupError extends Error {
  override readonly name = 'LookupError';
  readonly code: 'ENOTFOUND' | 'ETIMEOUT' | 'EAI_AGAIN';

  constructor(hostname: string, code: LookupError['code']) {
    super(`${hostname} could not be resolved (${code})`);
    this.code = code;
  }
}

/** In order of weight: after a timeout nobody knows what the other question would have brought. */
function errorOf(hostname: string, codes: readonly unknown[]): LookupError {
  if (codes.some((code) => code === 'ETIMEOUT' || code === 'ECANCELLED'))
    return new LookupError(hostname, 'ETIMEOUT');
  const isMissing = codes.some((code) => code === 'ENOTFOUND' || code === 'ENODATA');
  return new LookupError(hostname, isMissing ? 'ENOTFOUND' : 'EAI_AGAIN');
}

async function addressesOf(
  hostname: string,
  servers: readonly string[] | undefined,
): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS });
  if (servers !== undefined) resolver.setServers(servers);
  const patience = setTimeout(() => resolver.cancel(), LONGEST_MS);
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
    ];
    if (found.length > 0) return found;
    const codeOf = (answer: PromiseSettledResult<unknown>): unknown =>
      answer.status === 'rejected' ? (answer.reason as NodeJS.ErrnoException).code : 'ENODATA';
    throw errorOf(hostname, [codeOf(four), codeOf(six)]);
  } finally {
    clearTimeout(patience);
  }
}

/**
 * Asks name servers itself, for the names that users choose. The system's lookup, which mail, payments and everything else
 * use, has four threads for the whole process, so four slow name servers would stop it. Names of the machine's own hosts
 * file are unknown here.
 * @param servers by default those of the system
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return (hostname, { family }, callback) => {
    addressesOf(hostname, servers).then(
      (all) => {
        const ofFamily = all.filter((address) => !family || address.family === family);
        if (ofFamily.length > 0) callback(null, ofFamily);
        else callback(new LookupError(hostname, 'ENOTFOUND'), []);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** More than an account sends at once with all its webhooks. */
const MOST_WAITING = 32;

interface Line {
  end: Promise<void>;
  length: number;
}

const lines = new Map<string, Line>();

/** The same, one lookup after the other for one account; those beyond a limit fail immediately. */
export function oneAtATime(account: string, resolve: Resolve): Resolve {
  return (hostname, options, callback) => {
    const line = lines.get(account) ?? { end: Promise.resolve(), length: 0 };
    if (line.length > MOST_WAITING) return callback(new LookupError(hostname, 'EAI_AGAIN'), []);
    line.length += 1;
    lines.set(account, line);
    line.end = line.end.then(
      () =>
        new Promise<void>((done) => {
          resolve(hostname, options, (error, addresses) => {
            line.length -= 1;
            if (line.length === 0) lines.delete(account);
            done();
            callback(error, addresses);
          });
        }),
    );
  };
}
