import { expect } from 'vitest';
import type { Web } from '../routes/web.ts';

/**
 * How long anybody may wait while somebody abuses the server, in seconds. What is tested against took 17 to 80 seconds; a
 * page takes a few hundredths, and on the slowest machine less than this.
 */
export const LONGEST_WAIT_SECONDS = 12;

/** Loads a page in a connection of its own, again and again until `work` has ended. @returns the longest wait, in seconds */
export async function longestWait({ url }: Pick<Web, 'url'>, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const done = work.finally(() => (isOver = true));
  let longest = 0;
  do {
    const start = performance.now();
    const answer = await fetch(`${url}/calculator`, { headers: { connection: 'close' } });
    await answer.text();
    expect(answer.status).toBe(200);
    longest = Math.max(longest, (performance.now() - start) / 1000);
  } while (!isOver);
  await done;
  return longest;
}
