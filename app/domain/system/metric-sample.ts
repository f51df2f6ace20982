/** How a server process did at one moment, or since the sample before. */
export interface Sample {
  at: Date;
  /** Memory of the process, in MB. */
  memoryMb: number;
  /** Share of the largest heap that the runtime allows, 0 to 1. */
  heapShare: number;
  /** The longest 1 % of waits of the event loop, in ms. */
  lagMs: number;
  /** One question to the database, in ms; null when it did not answer. */
  databaseMs: number | null;
  requestsPerMinute: number;
  /** Share of the requests that ended with a defect (status 500 and more), 0 to 1; null when there were too few. */
  errorShare: number | null;
  /** Reminders, pushes and mails that are due and not done; null when the database did not answer. */
  backlog: number | null;
  /** Since how many seconds the oldest of them waits. */
  backlogSeconds: number | null;
}

/** How often a process looks at itself, in ms. */
export const SAMPLE_EVERY_MS = 10_000;

/** A process that reported nothing for so long, in ms, does not live any more. */
export const LIVE_MS = 6 * SAMPLE_EVERY_MS;

/** How many samples a process keeps: an hour. */
export const KEPT_SAMPLES = 360;
