let last: Promise<unknown> = Promise.resolve();

/**
 * Runs what changes the outbox while no other tab and no worker does. Where there are no locks across tabs the server
 * still writes each entry once.
 */
export async function oneAtATime<Result>(run: () => Promise<Result>): Promise<Result> {
  if ('locks' in navigator) return await navigator.locks.request('vialbook-outbox', run);
  const next = last.then(run, run);
  last = next.catch(() => undefined);
  return next;
}
