/** Measurements of a server process, at one moment or since the sample before. */
export interface Sample {
  at: Date;
  /** Memory of the process, in MB. */
  memoryMb: number;
  /** Share of the largest heap that the runtime allows, 0 to 1. */
  heapShare: number;
  /** 99th percentile of event-loop lag, in ms. */
  lagMs: number;
  /** Time of one database query, in ms; null if it did not answer. */
  databaseMs: number | null;
  requestsPerMinute: number;
  /** Share of requests with status 500 or above, 0 to 1; null if there were too few requests. */
  errorShare: number | null;
  /** Reminders, pushes and mails that are due but not done; null if the database did not answer. */
  backlog: number | null;
  /** Age of the oldest of them, in seconds. */
  backlogSeconds: number | null;
}

/** How often a process takes a sample, in ms. */
export const SAMPLE_EVERY_MS = 10_000;

/** A process that has not reported for this long, in ms, counts as stopped. */
export const LIVE_MS = 6 * SAMPLE_EVERY_MS;

/** How many samples a process keeps: one hour's. */
export const KEPT_SAMPLES = 360;

export const METRIC_STATUSES = ['healthy', 'warning', 'critical'] as const;
export type MetricStatus = (typeof METRIC_STATUSES)[number];
export type Trend = 'up' | 'down' | 'stable';

/** A figure of the system as the administrator sees it. */
export interface Metric {
  name: string;
  /** With its unit. */
  value: string;
  status: MetricStatus;
  trend: Trend;
  lastUpdated: Date;
}

interface Gauge {
  name: string;
  of(sample: Sample): number | null;
  text(value: number): string;
  /** Where a warning and a critical state begin; null if a high value is not a problem. */
  limits: readonly [warning: number, critical: number] | null;
  /** Smaller changes do not count as a trend. */
  step: number;
  /** The status when there is no value. */
  missing: MetricStatus;
}

const rounded = (value: number, digits = 0): string => value.toFixed(digits);

/** The limits are for one small server; docs/operating.md lists them. */
const GAUGES: readonly Gauge[] = [
  {
    name: 'Event-loop lag',
    of: ({ lagMs }) => lagMs,
    text: (value) => `${rounded(value, 1)} ms`,
    limits: [100, 500],
    step: 5,
    missing: 'healthy',
  },
  {
    name: 'Memory',
    of: ({ memoryMb }) => memoryMb,
    text: (value) => `${rounded(value)} MB`,
    limits: [1024, 2048],
    step: 10,
    missing: 'healthy',
  },
  {
    name: 'Heap in use',
    of: ({ heapShare }) => heapShare,
    text: (value) => `${rounded(value * 100)}%`,
    limits: [0.7, 0.9],
    step: 0.02,
    missing: 'healthy',
  },
  {
    name: 'Database latency',
    of: ({ databaseMs }) => databaseMs,
    text: (value) => `${rounded(value, 1)} ms`,
    limits: [50, 250],
    step: 2,
    missing: 'critical',
  },
  {
    name: 'Requests',
    of: ({ requestsPerMinute }) => requestsPerMinute,
    text: (value) => `${rounded(value)} a minute`,
    limits: null,
    step: 5,
    missing: 'healthy',
  },
  {
    name: 'Failed requests',
    of: ({ errorShare }) => errorShare,
    text: (value) => `${rounded(value * 100, 1)}%`,
    limits: [0.01, 0.05],
    step: 0.005,
    missing: 'healthy',
  },
  {
    name: 'Backlog',
    of: ({ backlog }) => backlog,
    text: (value) => rounded(value),
    limits: [500, 5000],
    step: 5,
    missing: 'critical',
  },
  {
    name: 'Age of the backlog',
    of: ({ backlogSeconds }) => backlogSeconds,
    text: (value) => (value < 120 ? `${rounded(value)} s` : `${rounded(value / 60)} min`),
    limits: [300, 1800],
    step: 30,
    missing: 'critical',
  },
];

function statusOf(value: number, limits: Gauge['limits']): MetricStatus {
  if (limits === null || value < limits[0]) return 'healthy';
  return value < limits[1] ? 'warning' : 'critical';
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** How many samples a trend looks back: two minutes. */
const TREND_SAMPLES = 12;

/**
 * The trend over the last two minutes: the mean of the second half compared with the first. A change counts from 10% of
 * the value, and from `step`.
 */
export function trendOf(values: readonly number[], step: number): Trend {
  const last = values.slice(-TREND_SAMPLES);
  if (last.length < 4) return 'stable';
  const half = Math.floor(last.length / 2);
  const [before, after] = [mean(last.slice(0, half)), mean(last.slice(-half))];
  const change = after - before;
  if (Math.abs(change) < Math.max(step, Math.abs(before) * 0.1)) return 'stable';
  return change > 0 ? 'up' : 'down';
}

/** The figures of the last sample, with their trends. Empty before the first sample. */
export function metricsOf(samples: readonly Sample[]): Metric[] {
  const recent = samples.slice(-KEPT_SAMPLES);
  const latest = recent.at(-1);
  if (latest === undefined) return [];
  return GAUGES.map(({ name, of, text, limits, step, missing }) => {
    const value = of(latest);
    const values = recent.map(of).filter((one) => one !== null);
    return {
      name,
      value: value === null ? (missing === 'critical' ? 'No answer' : 'Too few requests') : text(value),
      status: value === null ? missing : statusOf(value, limits),
      trend: trendOf(values, step),
      lastUpdated: latest.at,
    };
  });
}

/** The number of figures with each status. */
export function countStatuses(metrics: readonly Metric[]): Record<MetricStatus, number> {
  const counts = { healthy: 0, warning: 0, critical: 0 };
  for (const { status } of metrics) counts[status] += 1;
  return counts;
}

/** The worst status of all figures. */
export function overallStatus(metrics: readonly Metric[]): MetricStatus {
  const counts = countStatuses(metrics);
  return counts.critical > 0 ? 'critical' : counts.warning > 0 ? 'warning' : 'healthy';
}

/** "3 d 4 h", "4 h 5 min", "5 min 6 s". */
export function uptimeText(seconds: number): string {
  const whole = Math.floor(seconds);
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}
