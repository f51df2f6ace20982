import { hostname } from 'node:os';
import path from 'node:path';
import { getHeapStatistics } from 'node:v8';
import type { Logger } from 'pino';
import { KEPT_SAMPLES, SAMPLE_EVERY_MS, type Sample } from '#app/domain/system/system-metrics.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import type { Database, ProcessKind } from '#models/index.server.ts';
import { processMetrics, type ProcessFigures } from './metrics/process-metrics.server.ts';

/** A process's information about itself. */
export interface ServerControl {
  /** Host name of the machine. */
  host: string;
  /** Where backups are kept. */
  backupDirectory: string;
  /** Settings it was started with, nothing secret. */
  facts: Readonly<Record<string, string>>;
  uptimeSeconds(): number;
  /** Takes a sample now and stores it. */
  sample(): Promise<Sample>;
  /** Samples of the last hour, oldest first. */
  samples(): readonly Sample[];
  /** Starts taking samples regularly, and reports them to the other processes. */
  start(kind: ProcessKind): void;
  stop(): Promise<void>;
}

/** Says at the start of a process that root is more than it needs. Called once. */
export function warnAboutRoot(log: Logger): void {
  if (process.getuid?.() === 0)
    log.warn('Running as root, which Vialbook never needs. Please start it as a user of its own.');
}

const MB = 1024 * 1024;
/** A process that has not reported for this long was killed. */
const FORGOTTEN_MS = 24 * 3600 * 1000;
/** With fewer requests in a sample, a failure rate means nothing. */
const LEAST_REQUESTS = 20;

/** Settings that may be shown because none of them is secret. */
function factsOf(settings: Settings): Record<string, string> {
  return {
    Database: settings.MONGODB_URI === undefined ? 'embedded engine' : 'MongoDB deployment',
    Address: settings.APP_URL,
    Billing: settings.BILLING,
    Mail: settings.SMTP_URL === undefined ? 'files in the data directory' : 'SMTP server',
    'Log level': settings.LOG_LEVEL,
    'Proxies in front': String(settings.TRUST_PROXY),
    Node: process.version,
    Platform: `${process.platform} ${process.arch}`,
  };
}

interface Backlog {
  backlog: number | null;
  backlogSeconds: number | null;
}

async function backlogOf({ repos }: Database, now: Date): Promise<Backlog> {
  try {
    const [reminders, deliveries] = await Promise.all([
      repos.doseReminding.backlog(now),
      repos.deliveries.backlog(now),
    ]);
    const oldest = [reminders.oldestAt, deliveries.oldestAt].filter((at) => at !== null);
    const since = Math.min(...oldest.map((at) => at.getTime()));
    return {
      backlog: reminders.waiting + deliveries.waiting,
      backlogSeconds: oldest.length === 0 ? 0 : Math.max(0, (now.getTime() - since) / 1000),
    };
  } catch {
    return { backlog: null, backlogSeconds: null };
  }
}

/** Sampling interval of the event-loop monitor, in ms, which its figures include. */
const LAG_RESOLUTION_MS = 20;

interface Counted {
  requests: number;
  /** Requests that failed because of a bug. 503 does not count: it is deliberate, or the database, which has its own figure. */
  failures: number;
}

function countedIn({ requests }: ProcessFigures): Counted {
  const sum = (entries: ProcessFigures['requests']) => entries.reduce((all, { count }) => all + count, 0);
  return {
    requests: sum(requests),
    failures: sum(requests.filter(({ status }) => status >= 500 && status !== 503)),
  };
}

/** Samples this process regularly, and reports to the other processes. */
function reportingOf(
  { repos: { serverProcesses, migrations } }: Database,
  sample: () => Promise<Sample>,
  now: () => Date,
): Pick<ServerControl, 'start' | 'stop'> {
  const self = { host: hostname(), pid: process.pid };
  let timer: NodeJS.Timeout | null = null;
  let rounds: Promise<void> = Promise.resolve();

  // An unavailable database is reported elsewhere; the next round reports again.
  async function report(kind: ProcessKind): Promise<void> {
    const taken = await sample();
    const startedAt = new Date(taken.at.getTime() - process.uptime() * 1000);
    const seen = { startedAt, seenAt: taken.at, sample: taken, migrations: migrations.known() };
    const record = { ...self, kind, ...seen };
    await serverProcesses.report(record).catch(() => undefined);
  }

  return {
    start(kind) {
      const round = () => {
        rounds = rounds.then(() => report(kind));
      };
      round();
      const forgotten = new Date(now().getTime() - FORGOTTEN_MS);
      rounds = rounds.then(() => serverProcesses.deleteBefore(forgotten).catch(() => undefined));
      timer = setInterval(round, SAMPLE_EVERY_MS);
      timer.unref();
    },
    async stop() {
      if (timer === null) return;
      clearInterval(timer);
      timer = null;
      await rounds;
      await serverProcesses.delete(self).catch(() => undefined);
    },
  };
}

/** Creates this process's control. Nothing runs before `start`. */
export function createServerControl(
  database: Database,
  settings: Settings,
  now: () => Date = () => new Date(),
): ServerControl {
  const samples: Sample[] = [];
  let before: Counted & { at: number } = { requests: 0, failures: 0, at: performance.now() };

  async function sample(): Promise<Sample> {
    const at = now();
    const figures = processMetrics().figures();
    const counted = { ...countedIn(figures), at: performance.now() };
    const requests = counted.requests - before.requests;
    const failures = counted.failures - before.failures;
    const minutes = Math.max(1, counted.at - before.at) / 60_000;
    before = counted;
    const [databaseMs, backlog] = await Promise.all([
      database.ping().catch(() => null),
      backlogOf(database, at),
    ]);
    const taken: Sample = {
      at,
      memoryMb: figures.residentBytes / MB,
      heapShare: figures.heapUsedBytes / getHeapStatistics().heap_size_limit,
      lagMs: Math.max(0, figures.lag.p99 - LAG_RESOLUTION_MS),
      databaseMs,
      requestsPerMinute: requests / minutes,
      errorShare: requests < LEAST_REQUESTS ? null : failures / requests,
      ...backlog,
    };
    samples.push(taken);
    if (samples.length > KEPT_SAMPLES) samples.shift();
    return taken;
  }

  return {
    host: hostname(),
    backupDirectory: path.resolve(settings.BACKUP_DIR ?? path.join(settings.DATA_DIR, 'backups')),
    facts: factsOf(settings),
    uptimeSeconds: () => process.uptime(),
    sample,
    samples: () => samples,
    ...reportingOf(database, sample, now),
  };
}
