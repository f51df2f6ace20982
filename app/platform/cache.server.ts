import type { Repositories } from '#models/index.server.ts';

/** Something that is read at nearly every request and changes rarely. */
export interface KeptBriefly<T> {
  name: string;
  /** What is stored, at most {@link KEPT_MS} old. */
  read(repos: Repositories): Promise<T>;
  /** The next read asks the database. */
  forget(repos: Repositories): void;
}

/** How old a kept answer may be, in ms. Another process's change is seen after that at the latest. */
export const KEPT_MS = 5_000;

interface Entry<T> {
  at: number;
  value: Promise<T>;
}

const all = new Map<string, KeptBriefly<unknown> & { isKept(repos: Repositories): boolean }>();

/**
 * Keeps the answer to one question for a few seconds, by a clock that does not jump. Readers that come at once share one
 * question, and one that fails is not kept.
 */
export function keptBriefly<T>(name: string, load: (repos: Repositories) => Promise<T>): KeptBriefly<T> {
  const entries = new WeakMap<Repositories, Entry<T>>();
  const cache = {
    name,
    read(repos: Repositories): Promise<T> {
      const known = entries.get(repos);
      if (known !== undefined && performance.now() - known.at < KEPT_MS) return known.value;
      const value = load(repos);
      entries.set(repos, { at: performance.now(), value });
      value.catch(() => entries.delete(repos));
      return value;
    },
    forget: (repos: Repositories) => void entries.delete(repos),
    isKept: (repos: Repositories) => entries.has(repos),
  };
  all.set(name, cache);
  return cache;
}

/** Empties every cache of this process. @returns the names of those that held something */
export function forgetAllKept(repos: Repositories): string[] {
  const held = [...all.values()].filter((cache) => cache.isKept(repos));
  for (const cache of held) cache.forget(repos);
  return held.map(({ name }) => name);
}
