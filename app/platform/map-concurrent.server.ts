/** Processes items with limited concurrency. Rejects with the first failure, after the running calls have ended. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  perform: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await perform(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane));
  for (const result of lanes) if (result.status === 'rejected') throw result.reason;
}
