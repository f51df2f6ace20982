import { AppError } from '#app/domain/errors.ts';
import { clientKey } from '#app/platform/access/client-key.server.ts';

/** Who waits for a password to be hashed or checked. */
export interface PasswordCaller {
  /** Its network address. */
  address: string;
  /** The account's address or id. */
  account: string;
}

/** Passwords hashed or checked at once in this process. Each needs a core and 19 MB for about 20 ms. */
const AT_ONCE = 2;
/** How many may wait: of one account and client, of one client, and of all together. */
const MOST_WAITING = { account: 50, client: 150, all: 500 } as const;
const RETRY_AFTER_SECONDS = 2;

const refusal = (message: string) =>
  new AppError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });

type Start = () => void;

/** Gives out turns to one client after the other, and within a client to one account after the other. */
class FairQueue {
  private readonly clients = new Map<string, Map<string, Start[]>>();
  private running = 0;

  async run<T>({ address, account }: PasswordCaller, work: () => Promise<T>): Promise<T> {
    if (this.running >= AT_ONCE) await this.turn(clientKey(address), account);
    else this.running += 1;
    try {
      return await work();
    } finally {
      // The place passes to the next in line, if there is one.
      const next = this.next();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  /** @throws AppError RATE_LIMITED */
  private turn(client: string, account: string): Promise<void> {
    const accounts = this.clients.get(client) ?? new Map<string, Start[]>();
    const waiting = accounts.get(account) ?? [];
    const sizes = [...this.clients.values()].map(sizeOf);
    if (waiting.length >= MOST_WAITING.account || sizeOf(accounts) >= MOST_WAITING.client)
      throw refusal('You are signing in many times at once. Try again in a moment.');
    if (sizes.reduce((sum, size) => sum + size, 0) >= MOST_WAITING.all)
      throw refusal('Many people are signing in at the moment. Try again in a moment.');
    return new Promise((resolve) => {
      waiting.push(resolve);
      accounts.set(account, waiting);
      this.clients.set(client, accounts);
    });
  }

  private next(): Start | undefined {
    const client = takeFirst(this.clients);
    const account = client && takeFirst(client.value);
    const start = account?.value.shift();
    if (client === undefined || account === undefined) return undefined;
    // Back to the end of the line.
    if (account.value.length > 0) client.value.set(account.key, account.value);
    if (client.value.size > 0) this.clients.set(client.key, client.value);
    return start;
  }
}

const sizeOf = (accounts: ReadonlyMap<string, readonly Start[]>): number =>
  [...accounts.values()].reduce((sum, waiting) => sum + waiting.length, 0);

function takeFirst<T>(map: Map<string, T>): { key: string; value: T } | undefined {
  for (const [key, value] of map) {
    map.delete(key);
    return { key, value };
  }
  return undefined;
}

const queue = new FairQueue();

/**
 * Runs the hashing or checking of a password when it is its turn: two at once in this process, so that many sign-ins of one
 * client or account make nobody else wait.
 * @throws AppError RATE_LIMITED when too many of this account, this client or all are waiting; errors of `work`
 */
export function inPasswordQueue<T>(caller: PasswordCaller, work: () => Promise<T>): Promise<T> {
  return queue.run(caller, work);
}
