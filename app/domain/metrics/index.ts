export { histogramSamples, prometheusText } from './prometheus.ts';
export type { Histogram, MetricFamily, Sample } from './prometheus.ts';
