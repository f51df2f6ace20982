import { mongo } from 'mongoose';
import { expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { Monitors, Outage } from '#models/database-watch.server.ts';

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

it('reports a monitor as stuck when it is silent for longer than its limits, or since before its server was restarted', () => {
  const limits = { heartbeatFrequencyMS: 10_000, connectTimeoutMS: 30_000 };
  const client = new mongo.MongoClient('mongodb://a.example,b.example', limits);
  const monitors = new Monitors(client);
  const after = (seconds: number) => monitors.areStuck(performance.now() + seconds * 1000);
  expect(after(1000)).toBe(false);
  const hear = (connectionId: string) =>
    client.emit('serverHeartbeatStarted', { connectionId } as mongo.ServerHeartbeatStartedEvent);
  hear('a.example:27017');
  hear('b.example:27017');
  expect([after(71), after(73)]).toEqual([false, true]);

  // Connections made by then are gone, which a monitor learns in a moment.
  monitors.serverStartedAgain(performance.now() + 1);
  expect([after(1.5), after(2.5)]).toEqual([false, true]);
  monitors.serverStartedAgain(performance.now() - 3000);
  expect(after(0)).toBe(false);
});
