import { expect, it } from 'vitest';
import { bundleChild, IN_FLIGHT, workerRound } from '../../../bench/worker/rounds.mjs';

/** `npm run worker-rounds` does the same with 100,000. */
const DOSES = 600;

it('four workers lose nothing when two of them are killed, and resend at most what was in flight', async () => {
  // Longer than a slow machine needs for what one worker holds at once.
  const file = await bundleChild();
  const outcome = await workerRound({ file, doses: DOSES, workers: 4, killed: 2, leaseMs: 15_000 });
  expect(outcome).toMatchObject({ reminded: DOSES, left: 0, badEnds: 0 });
  expect(outcome.resent).toBeLessThanOrEqual(2 * IN_FLIGHT);
});
