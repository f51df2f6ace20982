import type { HasRepositories } from '#app/platform/access/repository-store.server.ts';
import type { Repositories } from '#models/index.server.ts';

/** Every repository of a context: tests look behind operations and at more than one room's. */
export const reposOf = ({ repos }: HasRepositories): Repositories => repos.only<keyof Repositories>([]);
