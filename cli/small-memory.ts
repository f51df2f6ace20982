import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MB = 1024 * 1024;
/** Heap above which garbage is looked for. */
const FROM_BYTES = 40 * MB;
/** How much the heap may grow over what was in use after the last look. */
const GROWTH = 1.5;
const LOOK_EVERY_MS = 50;

/**
 * Keeps the process small during some long work. V8 lets garbage pile up to hundreds of megabytes before it looks at
 * old objects for the first time; work that reads gigabytes through little memory would seem to need them.
 */
export async function withSmallMemory<T>(work: () => Promise<T>): Promise<T> {
  // Node hands the collector out only under a flag, which takes effect in contexts made after it.
  setFlagsFromString('--expose-gc');
  // The space for new objects stays as small as it is at the start: three parts of 16 MB otherwise.
  setFlagsFromString('--semi-space-growth-factor=1');
  const collect = runInNewContext('gc') as () => void;
  let limit = FROM_BYTES;
  const timer = setInterval(() => {
    if (getHeapStatistics().used_heap_size < limit) return;
    collect();
    limit = Math.max(FROM_BYTES, getHeapStatistics().used_heap_size * GROWTH);
  }, LOOK_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
