import { expect, it } from 'vitest';
import { histogramSamples, prometheusText } from '#app/domain/system/prometheus.ts';

it('the Prometheus format has help, type and each sample on a line of its own', () => {
  const text = prometheusText([
    { name: 'a_total', help: 'How many.', type: 'counter', samples: [{ labels: { job: 'x' }, value: 3 }] },
    { name: 'b_seconds', help: 'How long.', type: 'gauge', samples: [{ value: 0.25 }] },
    { name: 'nothing', help: 'Not there.', type: 'gauge', samples: [] },
  ]);
  expect(text).toBe(
    '# HELP a_total How many.\n# TYPE a_total counter\na_total{job="x"} 3\n' +
      '# HELP b_seconds How long.\n# TYPE b_seconds gauge\nb_seconds 0.25\n',
  );
});

it('the Prometheus format escapes characters that would end a line or a label', () => {
  const samples = [{ labels: { job: 'a"b\\c\nd' }, value: 1 }];
  const text = prometheusText([{ name: 'x', help: 'one\ntwo\\', type: 'gauge', samples }]);
  expect(text).toBe('# HELP x one\\ntwo\\\\\n# TYPE x gauge\nx{job="a\\"b\\\\c\\nd"} 1\n');
});

it('the Prometheus format ends a histogram with a bucket that counts everything', () => {
  const samples = histogramSamples({ buckets: [{ upTo: 0.1, count: 2 }], sum: 5.5, count: 3 });
  const text = prometheusText([{ name: 'h', help: 'h', type: 'histogram', samples }]);
  expect(text.split('\n').slice(2, -1)).toEqual([
    'h_bucket{le="0.1"} 2',
    'h_bucket{le="+Inf"} 3',
    'h_sum 5.5',
    'h_count 3',
  ]);
});

it('the Prometheus format writes NaN and infinities', () => {
  const samples = [NaN, -Infinity].map((value) => ({ value }));
  expect(prometheusText([{ name: 'n', help: 'n', type: 'gauge', samples }])).toContain('n NaN\nn -Inf\n');
});
