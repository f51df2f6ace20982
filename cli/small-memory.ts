import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MB = 1024 * 1024;
/** Heap size above which garbage is collected. */
const FROM_BYTES = 40 * MB;
/** How much the heap may grow, relative to its size after the last collection. */
const GROWTH = 1.5;
const CHECK_EVERY_MS = 50;

/**
 * Keeps memory use low during a long task. V8 lets hundreds of megabytes of garbage pile up before it first collects
 * old objects, so a task that streams gigabytes in little memory would appear to need much more.
 */
export async function withSmallMemory<T>(work: () => Promise<T>): Promise<T> {
  // Node exposes the collector only with this flag, and only in contexts created after it is set.
  setFlagsFromString('--expose-gc');
  // Keeps the space for new objects at its small initial size; otherwise it grows to three parts of 16 MB.
  setFlagsFromString('--semi-space-growth-factor=1');
  const collect = runInNewContext('gc') as () => void;
  let limit = FROM_BYTES;
  const timer = setInterval(() => {
    if (getHeapStatistics().used_heap_size < limit) return;
    collect();
    limit = Math.max(FROM_BYTES, getHeapStatistics().used_heap_size * GROWTH);
  }, CHECK_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
