import { createHash, timingSafeEqual } from 'node:crypto';
import { isAppError } from '#app/domain/errors.ts';
import {
  histogramSamples,
  type MetricFamily,
  type Sample,
  prometheusText,
} from '#app/domain/system/prometheus.ts';
import type { ServerProcessRecord, StorageSize } from '#models/index.server.ts';
import type { Ctx, Caller } from '#app/platform/access/context.server.ts';
import {
  processMetrics,
  type ProcessFigures,
  type RouteFigures,
} from '#app/platform/metrics/process-metrics.server.ts';
import { plural } from '#app/domain/text/plural.ts';
import {
  checkReadiness,
  getDataFile,
  getWorkerFigures,
  listFailures,
  listProcesses,
  type WorkerFigures,
} from './server-status.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };

/** A caller with the token from the settings acts as an operator of this server. */
const MONITOR: Caller = {
  actor: { kind: 'cli', osUser: 'metrics' },
  client: { address: 'monitoring', userAgent: null },
};

/** The metrics in Prometheus's text format, for callers with the token; 404 if the settings have no token. */
export async function metricsResponse(request: Request): Promise<Response> {
  const { settings, contextFor, ping } = currentApp();
  const token = settings.METRICS_TOKEN;
  if (token === undefined) return new Response('There is nothing here.\n', { status: 404, headers: TEXT });
  if (!isMonitor(request, token)) {
    const headers = { ...TEXT, 'WWW-Authenticate': 'Bearer' };
    return new Response('Send the token from METRICS_TOKEN.\n', { status: 401, headers });
  }
  const text = prometheusText(await metricFamilies(contextFor(MONITOR), ping));
  return new Response(text, {
    headers: { ...TEXT, 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
  });
}

/**
 * Tells everyone whether the database answers, and callers with the token also what failed in the background. Such failures
 * do not change the status: a server whose backups fail still answers, and must stay in the rotation.
 */
export async function readinessResponse(request: Request): Promise<Response> {
  const { settings, contextFor, ping } = currentApp();
  const answer = (status: number, lines: readonly string[]) =>
    new Response(lines.map((line) => `${line}\n`).join(''), { status, headers: TEXT });
  const away = () => answer(503, ['The database cannot be reached.']);
  const { ready } = await checkReadiness({ ping });
  if (!ready) return away();
  const { METRICS_TOKEN: token } = settings;
  if (token === undefined || !isMonitor(request, token)) return answer(200, ['ready']);
  try {
    const failures = await listFailures(contextFor(MONITOR));
    const details = failures.map(
      ({ what, at, times, reason }) =>
        `${what} failed ${plural(times, 'time')}, last at ${at.toISOString()}: ${reason}`,
    );
    return answer(200, ['ready', ...details]);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'DATABASE_UNAVAILABLE') throw error;
    return away();
  }
}

function isMonitor(request: Request, token: string): boolean {
  const sentToken = /^Bearer (.+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
  return isSame(sentToken, token);
}

/** Compares hashes, so that timing reveals neither content nor length. */
function isSame(sentToken: string, token: string): boolean {
  const [a, b] = [sentToken, token].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/**
 * The metrics of this process and of the work shared by all workers. While the database is unreachable, only those of the
 * process.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
async function metricFamilies(ctx: Ctx, ping: () => Promise<number>): Promise<MetricFamily[]> {
  const own = processFamilies(processMetrics().figures());
  const up = (value: number) => gauge('vialbook_database_up', 'Whether the database answers.', one(value));
  try {
    const worker = await getWorkerFigures(ctx);
    const seconds = (await ping()) / 1000;
    const pinged = gauge(
      'vialbook_database_ping_seconds',
      'How long the database took to answer.',
      one(seconds),
    );
    const file = fileFamilies(await getDataFile(ctx));
    const live = liveFamilies(await listProcesses(ctx));
    return [...own, up(1), pinged, ...file, ...live, ...workerFamilies(worker, ctx.now())];
  } catch (error) {
    if (!isAppError(error) || error.code !== 'DATABASE_UNAVAILABLE') throw error;
    return [...own, up(0)];
  }
}

const gauge = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples,
});

function routeFamilies(routes: readonly RouteFigures[]): MetricFamily[] {
  const counter = (name: string, help: string, read: (route: RouteFigures) => number): MetricFamily => ({
    name,
    help,
    type: 'counter',
    samples: routes.map((figures) => {
      const { method, route } = figures;
      return { labels: { method, route }, value: read(figures) };
    }),
  });
  return [
    counter('http_route_requests_total', 'Answered requests of a route.', ({ count }) => count),
    counter('http_route_seconds_total', 'Time its answers took together.', ({ seconds }) => seconds),
    counter(
      'http_route_errors_total',
      'Its answers with a status of 500 or above, except 503.',
      ({ errors }) => errors,
    ),
  ];
}

const one = (value: number): Sample[] => [{ value }];

const inSeconds = (instant: Date): number => instant.getTime() / 1000;

function processFamilies(figures: ProcessFigures): MetricFamily[] {
  const requests = figures.requests.map(({ method, status, count }) => ({
    labels: { method, status: String(status) },
    value: count,
  }));
  const lag = (['p50', 'p99', 'max'] as const).map((quantile) => ({
    labels: { quantile },
    value: figures.lag[quantile] / 1000,
  }));
  return [
    gauge('process_start_time_seconds', 'Start time of this process.', one(inSeconds(figures.startedAt))),
    gauge('process_resident_memory_bytes', 'Memory in use.', one(figures.residentBytes)),
    gauge('nodejs_heap_used_bytes', 'Heap in use.', one(figures.heapUsedBytes)),
    gauge('nodejs_heap_size_bytes', 'Heap taken from the system.', one(figures.heapTotalBytes)),
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time used.',
      type: 'counter',
      samples: one(figures.cpuSeconds),
    },
    gauge('nodejs_eventloop_lag_seconds', 'Event loop lag in the last minute.', lag),
    ...routeFamilies(figures.routes),
    { name: 'http_requests_total', help: 'Answered requests.', type: 'counter', samples: requests },
    {
      name: 'http_request_duration_seconds',
      help: 'Time from request to the end of its answer.',
      type: 'histogram',
      samples: histogramSamples(figures.durations),
    },
  ];
}

/** One process as it last reported. */
function liveFamilies(processes: readonly ServerProcessRecord[]): MetricFamily[] {
  const each = (name: string, help: string, read: (process: ServerProcessRecord) => number) =>
    gauge(
      name,
      help,
      processes.map((process) => {
        const { host, pid, kind } = process;
        return { labels: { host, pid: String(pid), kind }, value: read(process) };
      }),
    );
  return [
    each('vialbook_process_seen_timestamp_seconds', 'When a process last reported.', ({ seenAt }) =>
      inSeconds(seenAt),
    ),
    each('vialbook_process_start_time_seconds', 'When it started.', ({ startedAt }) => inSeconds(startedAt)),
    each(
      'vialbook_process_resident_memory_bytes',
      'Its memory in use.',
      ({ sample }) => sample.memoryMb * 1024 * 1024,
    ),
    each(
      'vialbook_process_heap_ratio',
      'Its heap in use, of the largest it may have.',
      ({ sample }) => sample.heapShare,
    ),
    each(
      'vialbook_process_eventloop_lag_seconds',
      'Its event loop lag, 99th percentile.',
      ({ sample }) => sample.lagMs / 1000,
    ),
  ];
}

function fileFamilies(size: StorageSize | null): MetricFamily[] {
  if (size === null) return [];
  return [
    gauge('vialbook_database_file_bytes', 'Size of the embedded database’s file.', one(size.fileBytes)),
    gauge('vialbook_database_free_bytes', 'Free space in that file.', one(size.freeBytes)),
  ];
}

function workerFamilies({ jobs, backlog }: WorkerFigures, now: Date): MetricFamily[] {
  const perJob = (read: (job: WorkerFigures['jobs'][number]) => number) =>
    jobs.map((job) => ({ labels: { job: job.name }, value: read(job) }));
  const queues = Object.entries(backlog);
  return [
    gauge(
      'vialbook_job_last_run_timestamp_seconds',
      'When a job last ended, on any worker; recorded once a minute.',
      perJob(({ at }) => inSeconds(at)),
    ),
    gauge(
      'vialbook_job_duration_seconds',
      'How long that run took.',
      perJob(({ ms }) => ms / 1000),
    ),
    gauge(
      'vialbook_job_failures',
      'Consecutive failed runs; 0 when the last one succeeded.',
      perJob(({ failures }) => failures),
    ),
    gauge(
      'vialbook_backlog',
      'Items that are due but not done yet.',
      queues.map(([queue, { waiting }]) => ({ labels: { queue }, value: waiting })),
    ),
    gauge(
      'vialbook_backlog_age_seconds',
      'Age of the oldest of them.',
      queues.map(([queue, { oldestAt }]) => ({
        labels: { queue },
        value: oldestAt === null ? 0 : Math.max(0, inSeconds(now) - inSeconds(oldestAt)),
      })),
    ),
  ];
}
