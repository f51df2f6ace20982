import { expect, it } from 'vitest';
import { bundleChild, IN_FLIGHT, livesRound, workerRound } from '#tests/support/rounds/worker-rounds.mjs';
import { sized } from '#tests/support/size.ts';

/** `npm run bench -- worker-kill` does the same with 100,000. */
const DOSES = sized(120, 300);

/** Longer than a slow machine needs for one worker's claims: a lease that ends earlier sends them again, though nobody died. */
const LEASE_MS = 30_000;

it('four workers lose nothing when two of them are killed, and resend at most what was in flight: pushes, ntfy, and webhooks whose receivers fail, hang, redirect and move', async () => {
  const round = { doses: DOSES, workers: 4, killed: 2, leaseMs: LEASE_MS, everywhere: true };
  const outcome = await workerRound({ file: await bundleChild(), ...round });
  expect(outcome).toMatchObject({ left: 0, badEnds: 0, underTwoIds: 0, reachedInside: 0 });
  expect(outcome.ledInside).toBeGreaterThan(0);
  const { push, ntfy, webhooks } = outcome;
  expect([push.sent, ntfy.sent, webhooks.sent]).toEqual([DOSES, DOSES, DOSES]);
  // Reminders share an outbox.
  expect(push.resent + ntfy.resent).toBeLessThanOrEqual(2 * IN_FLIGHT);
  expect(webhooks.resent).toBeLessThanOrEqual(2 * IN_FLIGHT);
});

/** `npm run bench -- worker --lives` does the same with 40 people. */
it('four workers, two of them killed, while people take, undo and move: each dose is there once and drawn once, each reminder comes once per channel', async () => {
  const round = { people: sized(3, 4), steps: sized(50, 80), workers: 4, killed: 2, leaseMs: LEASE_MS };
  const outcome = await livesRound({ file: await bundleChild(), ...round });
  expect(outcome).toMatchObject({ problems: [], left: 0, underTwoIds: 0, badEnds: 0 });
  for (const times of Object.values(outcome.did)) expect(times).toBeGreaterThan(0);
  const { ntfy, webhooks } = outcome;
  expect(ntfy.sent).toBeGreaterThan(0);
  expect(webhooks.sent).toBeGreaterThan(0);
  expect(ntfy.resent).toBeLessThanOrEqual(2 * IN_FLIGHT);
  expect(webhooks.resent).toBeLessThanOrEqual(2 * IN_FLIGHT);
});
