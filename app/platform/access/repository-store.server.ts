import type { Repositories } from '#models/index.server.ts';

/** The repositories of a process. An operation reaches those that its room declares, by {@link declareRepositories}. */
export class RepositoryStore {
  readonly #all: Repositories;

  constructor(all: Repositories) {
    this.#all = all;
  }

  /** Those with these names. */
  only<Name extends keyof Repositories>(_names: readonly Name[]): Pick<Repositories, Name> {
    return this.#all;
  }

  /** The same store, but for these. */
  with(replaced: Partial<Repositories>): RepositoryStore {
    return new RepositoryStore({ ...this.#all, ...replaced });
  }
}

/** What holds repositories: every operation's context. */
export interface HasRepositories {
  repos: RepositoryStore;
}

/** Declares, once for a room, the repositories that it uses. @returns a function that gives them for a context */
export function declareRepositories<Name extends keyof Repositories>(...names: Name[]) {
  return ({ repos }: HasRepositories): Pick<Repositories, Name> => repos.only(names);
}
