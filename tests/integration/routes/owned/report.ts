import { expect } from 'vitest';
import { storedIn } from '../stored.ts';
import type { Owned } from './owned.ts';

/** Links to reports. */
export const OWNED_REPORTS: Record<string, Owned> = {
  '/dashboard/analytics/report/shares/:id/revoke': {
    premium: true,
    async make(owner, web) {
      const list = '/dashboard/analytics/report/shares';
      const form = { start: '2026-01-01', end: '2026-03-31', days: '7', label: 'Mine alone' };
      const made = await owner.post(list, form);
      const link = /\/share\/[A-Za-z0-9_-]{43}/.exec(made.body)?.[0] ?? expect.unreachable('no link');
      const { body } = await owner.get(list);
      const at = body.match(/\/dashboard\/analytics\/report\/shares\/[^/"]+\/revoke/)?.[0] ?? '';
      const isThere = async () => {
        const rows = await storedIn(web.dataDir, 'report_shares');
        const works = (await web.visitor().get(link)).status === 200;
        const isOpen = rows.some((row) => at.includes(String(row['shareId'])) && row['revokedAt'] === null);
        expect(works).toBe(isOpen);
        return isOpen;
      };
      return { at, shows: 'Mine alone', isThere };
    },
  },
};
