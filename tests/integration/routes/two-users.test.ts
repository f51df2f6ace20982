import { expect, it } from 'vitest';
import { seedCalculations } from '#tests/support/calculations.ts';
import { besideServer } from '#tests/support/someone.ts';
import { userIdOf } from './stored.ts';
import { useWeb } from './web.ts';

/** The same at full size, with a bar on the time of each page, is `npm run bench -- soak two-users abuse`. */
const web = useWeb();

const ROWS = 3000;
const SEARCH = '/dashboard/calculator?history=1&search=not-in-any-of-them';
const FILES = ['csv', 'json', 'pdf'].map(
  (format) => `/dashboard/export/file?format=${format}&types=calculations`,
);
const PAGES = [
  '/dashboard/calculator?history=1',
  '/dashboard/vials',
  '/dashboard/schedule',
  '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25',
];

it('one person’s concurrent searches and exports of thousands of records do not block another’s pages', async () => {
  const [busy, other] = [await web.registered({ trial: true }), await web.registered({ trial: true })];
  const database = await besideServer(web.dataDir);
  await seedCalculations(database, await userIdOf(web.dataDir, busy.email), ROWS, {
    notes: 'before breakfast',
  });
  let isOver = false;
  const work = Promise.all(
    [...Array.from({ length: 5 }, () => SEARCH), ...FILES].map((at) => busy.get(at)),
  ).finally(() => (isOver = true));
  let answered = 0;
  for (; !isOver; answered += 1)
    expect((await other.get(PAGES[answered % PAGES.length] ?? '')).status).toBe(200);
  const statuses = (await work).map(({ status }) => status);
  // One search and one file at a time; whoever asks for more waits, or is told to come back.
  expect(statuses.filter((status) => status !== 429)).toEqual(statuses.filter((status) => status === 200));
  expect([statuses.slice(0, 5), statuses.slice(5)].map((some) => some.includes(200))).toEqual([true, true]);
  expect(answered).toBeGreaterThan(8);
});
