export { keptLine, LOG_LEVELS, type LogLevel, type LogLine } from './log-line.ts';
export {
  countStatuses,
  METRIC_STATUSES,
  metricsOf,
  overallStatus,
  trendOf,
  uptimeText,
  type Metric,
  type MetricStatus,
  type Trend,
} from './metrics.ts';
export { KEPT_SAMPLES, SAMPLE_EVERY_MS, type Sample } from './sample.ts';
