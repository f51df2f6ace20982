import { createUserRepository } from '#models/accounts/user.server.ts';
import { createStockCheckRepository } from '#models/reminders/stock-check.server.ts';
import type { Migration } from './steps.server.ts';

const PIECE = 1000;

/** Earlier versions checked every account once an hour, so none had a time of its own. */
export const stockChecks: Migration = {
  id: '2026-11-29-stock-checks',
  description: 'Has the stock of every account checked once, which finds when to check it next',
  inBackground: () => true,
  async step(connection, cursor) {
    const ids = await createUserRepository(connection).listIds(cursor ?? '', PIECE);
    const last = ids.at(-1);
    if (last === undefined) return null;
    await createStockCheckRepository(connection).markAll(ids);
    return { cursor: last, changed: ids.length };
  },
};
