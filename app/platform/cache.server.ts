import type { HasRepositories, RepositoryStore } from './access/repository-store.server.ts';

/** A cached value that nearly every request reads and that rarely changes. */
export interface CachedValue<T> {
  name: string;
  /** The stored value, at most {@link KEPT_MS} old. */
  read(ctx: HasRepositories): Promise<T>;
  /** Makes the next read query the database. */
  forget(ctx: HasRepositories): void;
}

/** How old a cached value may be, in ms. Changes by other processes are visible after this time at the latest. */
export const KEPT_MS = 5_000;

interface Entry<T> {
  at: number;
  value: Promise<T>;
}

const all = new Map<string, CachedValue<unknown> & { isKept(ctx: HasRepositories): boolean }>();

/**
 * Caches a value for a few seconds, by a monotonic clock. Concurrent readers share one query; a failed query is not cached.
 */
export function createCache<T>(name: string, load: (ctx: HasRepositories) => Promise<T>): CachedValue<T> {
  const entries = new WeakMap<RepositoryStore, Entry<T>>();
  const cache = {
    name,
    read(ctx: HasRepositories): Promise<T> {
      const { repos } = ctx;
      const known = entries.get(repos);
      if (known !== undefined && performance.now() - known.at < KEPT_MS) return known.value;
      const value = load(ctx);
      entries.set(repos, { at: performance.now(), value });
      value.catch(() => entries.delete(repos));
      return value;
    },
    forget: ({ repos }: HasRepositories) => void entries.delete(repos),
    isKept: ({ repos }: HasRepositories) => entries.has(repos),
  };
  all.set(name, cache);
  return cache;
}

/** Empties every cache of this process. @returns the names of those that were not empty */
export function emptyAllCaches(ctx: HasRepositories): string[] {
  const filled = [...all.values()].filter((cache) => cache.isKept(ctx));
  for (const cache of filled) cache.forget(ctx);
  return filled.map(({ name }) => name);
}
