/** One measured value, with the labels that distinguish it within its family. */
export interface Sample {
  value: number;
  labels?: Readonly<Record<string, string>>;
  /** Appended to the family's name: `_bucket`, `_sum` or `_count` of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count';
}

/** All values of one metric. */
export interface MetricFamily {
  /** Letters, digits and underscores; ends in its unit, and in `_total` if it only counts up. */
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
}

const escapeHelp = (text: string): string => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
const escapeLabel = (text: string): string => escapeHelp(text).replace(/"/g, '\\"');

function valueText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

function sampleLine(name: string, { value, labels = {}, suffix }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return `${name}${suffix ?? ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${valueText(value)}\n`;
}

/** Prometheus's text exposition format 0.0.4. Families without a sample are left out. */
export function prometheusText(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const head = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
      return head + samples.map((sample) => sampleLine(name, sample)).join('');
    })
    .join('');
}

/** Counts of values by upper bound. As Prometheus requires, each bucket also counts all smaller values. */
export interface Histogram {
  buckets: readonly { upTo: number; count: number }[];
  sum: number;
  count: number;
}

export function histogramSamples({ buckets, sum, count }: Histogram): Sample[] {
  return [
    ...[...buckets, { upTo: Number.POSITIVE_INFINITY, count }].map((bucket) => ({
      suffix: '_bucket' as const,
      labels: { le: valueText(bucket.upTo) },
      value: bucket.count,
    })),
    { suffix: '_sum', value: sum },
    { suffix: '_count', value: count },
  ];
}
