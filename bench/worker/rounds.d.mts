/** What came of a round. */
export interface WorkerRound {
  perSecond: number;
  /** Doses whose reminder arrived. */
  reminded: number;
  /** Messages that arrived again, under the topic of the first. */
  resent: number;
  /** What is still to be done. */
  left: number;
  /** Workers that were asked to stop and ended with a failure. */
  badEnds: number;
}

/** Bundles what the processes run. */
export function bundleChild(): Promise<string>;

/** Lets workers send a reminder of each of so many due doses, each to one browser. */
export function workerRound(options: {
  file: string;
  doses: number;
  workers: number;
  killed?: number;
  delayMs?: number;
  leaseMs?: number;
}): Promise<WorkerRound>;

/** How many sends one worker has in flight at most. */
export const IN_FLIGHT: number;
