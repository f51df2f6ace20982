import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type { Histogram } from '#app/domain/system/prometheus.ts';

export interface AnsweredRequest {
  method: string;
  status: number;
  ms: number;
  /** The name of its route, see `routeNames`. */
  route: string;
}

/** How often and how long a route was asked. */
export interface RouteFigures {
  method: string;
  route: string;
  count: number;
  /** Of all its answers together. */
  seconds: number;
  /** Answers with status 500 or above, except 503, which is intentional. */
  errors: number;
}

/** Figures of this process, since its start unless noted. */
export interface ProcessFigures {
  startedAt: Date;
  residentBytes: number;
  heapUsedBytes: number;
  heapTotalBytes: number;
  cpuSeconds: number;
  /** Timer delay over the last whole minute (or since the start), in ms. */
  lag: { p50: number; p99: number; max: number };
  /** Answered requests by method and status. */
  requests: readonly { method: string; status: number; count: number }[];
  /** Response times, in seconds. */
  durations: Histogram;
  routes: readonly RouteFigures[];
}

export interface ProcessMetrics {
  answered(request: AnsweredRequest): void;
  figures(): ProcessFigures;
}

/** Upper bounds of the response-time buckets, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ROUND_MS = 60_000;
/** Methods counted by name; clients may send any word. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function durationCounter() {
  const counts = BOUNDS.map(() => 0);
  let [sum, count] = [0, 0];
  return {
    add(seconds: number): void {
      sum += seconds;
      count += 1;
      const at = BOUNDS.findIndex((bound) => seconds <= bound);
      if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
    },
    read(): Histogram {
      let below = 0;
      const buckets = BOUNDS.map((upTo, index) => ({ upTo, count: (below += counts[index] ?? 0) }));
      return { buckets, sum, count };
    },
  };
}

const inMs = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : 0);
const lagOf = (histogram: IntervalHistogram) => ({
  p50: inMs(histogram.percentile(50)),
  p99: inMs(histogram.percentile(99)),
  max: inMs(histogram.max),
});

/** Starts collecting. Keeps no process alive. */
export function startProcessMetrics(): ProcessMetrics {
  const requests = new Map<string, { method: string; status: number; count: number }>();
  const durations = durationCounter();
  const routes = new Map<string, RouteFigures>();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let lastRound: ProcessFigures['lag'] | null = null;
  setInterval(() => {
    lastRound = lagOf(delay);
    delay.reset();
  }, ROUND_MS).unref();
  return {
    answered({ method, status, ms, route }) {
      const known = METHODS.has(method) ? method : 'other';
      const place = `${known} ${route}`;
      const figures = routes.get(place) ?? { method: known, route, count: 0, seconds: 0, errors: 0 };
      figures.count += 1;
      figures.seconds += ms / 1000;
      if (status >= 500 && status !== 503) figures.errors += 1;
      routes.set(place, figures);
      const key = `${known} ${status}`;
      const entry = requests.get(key) ?? { method: known, status, count: 0 };
      entry.count += 1;
      requests.set(key, entry);
      durations.add(ms / 1000);
    },
    figures() {
      const { rss, heapUsed, heapTotal } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return {
        startedAt: new Date(Date.now() - process.uptime() * 1000),
        residentBytes: rss,
        heapUsedBytes: heapUsed,
        heapTotalBytes: heapTotal,
        cpuSeconds: (user + system) / 1e6,
        lag: lastRound ?? lagOf(delay),
        requests: [...requests.values()].map((entry) => ({ ...entry })),
        durations: durations.read(),
        routes: [...routes.values()].map((entry) => ({ ...entry })),
      };
    },
  };
}

// On `globalThis`, because a reload during development evaluates this module again, and there is one process.
const holder = globalThis as typeof globalThis & { vialbookMetrics?: ProcessMetrics };

/** The metrics of this process, collected since the first call. */
export function processMetrics(): ProcessMetrics {
  holder.vialbookMetrics ??= startProcessMetrics();
  return holder.vialbookMetrics;
}
