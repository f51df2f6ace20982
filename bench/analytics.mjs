// Prints how much longer the analytics page takes for the same period after many years of data than after one.
//   npm run bench -- analytics [years]
import { performance } from 'node:perf_hooks';
import { report } from './calculation-data.mjs';
import { openWithTrackers, personOf } from './tracking-data.mjs';

const YEARS = Number(process.argv[2] ?? 10);
const ROUNDS = 25;
const LIMIT = 1.5;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Two doses, an injection and three measurements a day, a side effect every second day, a vial every tenth. */
function yearsOf(years) {
  const days = years * 365;
  const every = (each) => ({ count: Math.floor(days / each), ago: (index) => 0.1 + index * each });
  return {
    tracked: {
      doses: every(0.5),
      injection_sites: every(1),
      measurements: every(1 / 3),
      side_effects: every(2),
      compounds: every(10),
    },
  };
}

const { program, close, ctx } = await openWithTrackers({ long: yearsOf(YEARS), short: yearsOf(1) });

/** Measures both alternately, so that a busy moment of the machine affects both. */
async function ratioOf(call) {
  const people = [ctx(personOf('long')), ctx(personOf('short'))];
  const times = [[], []];
  for (const of of people) for (let warm = 0; warm < 3; warm += 1) await call(of);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, of] of people.entries()) {
      const begin = performance.now();
      await call(of);
      times[index].push(performance.now() - begin);
    }
  }
  return median(times[0]) / median(times[1]);
}

try {
  for (const days of [90, 365]) {
    const figures = await ratioOf((of) => program.getAnalytics(of, { days, name: null }));
    report(`figures of ${days} days: ${YEARS} years ÷ 1 year`, figures, `<= ${LIMIT}`, figures <= LIMIT);
    const trends = await ratioOf((of) => program.measuredDays(of, days));
    report(`trends of ${days} days: ${YEARS} years ÷ 1 year`, trends, `<= ${LIMIT}`, trends <= LIMIT);
  }
} finally {
  await close();
}
