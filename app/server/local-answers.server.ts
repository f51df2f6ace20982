import { userInfo } from 'node:os';
import { getDaySummary } from '#app/features/doses/index.server.ts';
import { stockReport } from '#app/features/vials/index.server.ts';
import { findOwner } from '#app/platform/access/owner.server.ts';
import type { Caller } from '#app/platform/access/context.server.ts';
import type { LocalAnswers } from '#app/platform/local/local-answers.server.ts';
import type { Composition } from './composition.server.ts';

/** What a running server answers to the terminal: commands that are called from prompts and status bars, and only read. */
export function localAnswers({ contextFor }: Pick<Composition, 'contextFor'>): LocalAnswers {
  const caller = (): Caller => ({
    actor: { kind: 'cli', osUser: userInfo().username },
    client: { address: 'terminal', userAgent: null },
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  return {
    due: (email) => getDaySummary(contextFor(caller()), email),
    stock: async (email) => {
      const ctx = contextFor(caller());
      const { id } = await findOwner(ctx, email);
      return stockReport(ctx, id);
    },
  };
}
