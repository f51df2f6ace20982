/** What arrived over one channel. */
export interface ChannelCount {
  /** Different messages. */
  sent: number;
  /** Messages that were taken again, under the id of the first. */
  resent: number;
}

/** What came of a round. */
export interface WorkerRound {
  perSecond: number;
  push: ChannelCount;
  ntfy: ChannelCount;
  webhooks: ChannelCount;
  /** Messages that came under more than one id. */
  underTwoIds: number;
  /** How often the name of a webhook led to a private address. */
  ledInside: number;
  /** Connections made to that. */
  reachedInside: number;
  /** What is still to be done. */
  left: number;
  /** Workers that were asked to stop and ended with a failure. */
  badEnds: number;
}

/** Bundles what the processes run. */
export function bundleChild(entry?: string): Promise<string>;

/** Lets workers send a reminder of each of so many due doses, each to one browser, or everywhere. */
export function workerRound(options: {
  file: string;
  doses: number;
  workers: number;
  killed?: number;
  delayMs?: number;
  leaseMs?: number;
  everywhere?: boolean;
}): Promise<WorkerRound>;

/** What came of a round of people's lives. */
export interface LivesRound {
  /** How often people did what. */
  did: Record<'take' | 'undo' | 'move', number>;
  ntfy: ChannelCount;
  webhooks: ChannelCount;
  underTwoIds: number;
  left: number;
  /** Doses that are lost, there twice, drawn twice or in the wrong place; in words. */
  problems: string[];
  badEnds: number;
}

/** Lets workers work while people take, undo and move doses. */
export function livesRound(options: {
  file: string;
  people: number;
  steps: number;
  workers: number;
  killed: number;
  leaseMs?: number;
}): Promise<LivesRound>;

/** How many sends of one outbox a worker has in flight at most. */
export const IN_FLIGHT: number;
