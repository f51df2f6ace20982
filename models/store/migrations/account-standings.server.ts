import { createAdminFiguresRepository } from '#models/admin/admin-figures.server.ts';
import { createSubscriptionDays } from '#models/billing/subscription-sums.server.ts';
import type { Migration } from './steps.server.ts';

/** Earlier versions did not note what an account counts for. The worker does that while it counts all of them from scratch. */
export const accountStandings: Migration = {
  id: '2026-11-29-account-standings',
  description:
    'Has the worker count all accounts, as the figures of the overview follow each change from then on',
  inBackground: () => true,
  async step(connection, cursor) {
    if (cursor !== null) return null;
    const figures = createAdminFiguresRepository(connection);
    await figures.removeEarlier();
    await figures.beginRecount();
    // Nor did they note late payments by their day.
    await createSubscriptionDays(connection).markAllChanged();
    return { cursor: 'begun', changed: 1 };
  },
};
