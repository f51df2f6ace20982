import { expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { Outage } from '#models/store/database-watch.server.ts';

it('logs an outage when it begins, once a minute while it lasts, and when it is over', () => {
  const lines: string[] = [];
  const tell = (facts: object, message: string) => lines.push(`${message} ${JSON.stringify(facts)}`);
  const outage = new Outage({ ...SILENT_LOG, error: tell, info: tell });
  const away = (awaySeconds: number) =>
    `the database cannot be reached; waiting for it ${JSON.stringify({ reason: 'refused', awaySeconds })}`;
  outage.isBack(0);
  for (let second = 10; second < 140; second += 2) outage.isAway('refused', second * 1000);
  outage.isBack(140_000);
  outage.isBack(142_000);
  expect(lines).toEqual([away(0), away(60), away(120), 'the database is back {"awaySeconds":130}']);
  // The next one is told at once, however soon it comes.
  outage.isAway('refused', 143_000);
  expect(lines.at(-1)).toBe(away(0));
});
