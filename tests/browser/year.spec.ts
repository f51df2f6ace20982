import { mkdirSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { DESKTOP, expectSoundPage, openPage, PHONE } from '#tests/support/browser.ts';
import { fillYear } from '#tests/support/year.ts';
import { signUp } from './journey.ts';

/** Days that are made; `YEAR_DAYS=365` makes the whole year. */
const DAYS = Number(process.env['YEAR_DAYS'] ?? 30);

/** A whole year is made in minutes, and its pages are long. */
const LIMIT_MS = DAYS > 60 ? 880_000 : 400_000;

const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** What somebody with months of data looks at. */
const PAGES = [
  '/dashboard/analytics',
  '/dashboard/analytics?period=365&compound=BPC-157',
  '/dashboard/tracking',
  '/dashboard/analytics/report',
  `/dashboard/analytics/report/print?start=${dayAgo(DAYS)}&end=${dayAgo(0)}`,
  '/dashboard/schedule',
  '/dashboard/schedule/calendar',
  '/dashboard/schedule/adherence',
  '/dashboard/tracking/side-effects',
  '/dashboard/tracking/nutrition',
  '/dashboard/tracking/health',
  '/dashboard/vendors',
  '/dashboard/vendors/prices',
  '/dashboard/vendors/orders',
  '/dashboard/vials',
  '/dashboard/export',
];

describe('months of data', () => {
  it(
    'are shown on every page, at both widths, without scripts, and pass axe',
    async () => {
      const { context } = await openPage({ scripts: false, ...DESKTOP });
      const email = await signUp(context, { trial: true });
      await fillYear(inject('serverDataDir'), email, { days: DAYS });
      const cookies = await context.cookies();
      await context.close();
      for (const view of [
        { scripts: false, ...PHONE },
        { scripts: false, ...DESKTOP, dark: true },
        { scripts: true, ...PHONE },
      ]) {
        const opened = await openPage(view);
        await opened.context.addCookies(cookies);
        for (const path of PAGES) {
          const answer = await opened.page.goto(path);
          expect(answer?.status(), path).toBe(200);
          const folder = process.env['SHOTS'];
          if (folder) {
            mkdirSync(folder, { recursive: true });
            const name = path.replace(/\W+/g, '-').slice(1);
            const kind = `${view.width}${view.scripts ? '-js' : ''}`;
            await opened.page.screenshot({
              path: `${folder}/${name}-${kind}.png`,
              fullPage: !path.includes('/print'),
            });
          }
          await expectSoundPage(opened.page, path, view.scripts);
        }
        expect(opened.problems).toEqual([]);
        await opened.context.close();
      }
    },
    LIMIT_MS,
  );
});
