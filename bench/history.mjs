// Prints how much longer the history's pages, statistics and sorts take with a long history than with a short one.
//   npm run bench -- history [rows]
import { performance } from 'node:perf_hooks';
import { openWithHistories, report } from './calculation-data.mjs';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const SHORT = 1000;
const ROUNDS = 60;
const LIMIT = 1.5;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const { program, close, ctx: contextOf } = await openWithHistories({ short: SHORT, long: ROWS });

function personOf(id) {
  const entitlement = {
    isPremium: true,
    subscription: 'premium',
    status: 'active',
    source: 'grant',
    trialDaysLeft: null,
  };
  const account = { id, email: `${id}@example.org`, role: 'user', timeZone: 'UTC' };
  return contextOf({ kind: 'user', ...account, sessionId: 'bench', entitlement });
}

/** Measures both alternately, so that a busy moment of the machine affects both. */
async function ratioOf(call) {
  const people = [personOf('long'), personOf('short')];
  const times = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, ctx] of people.entries()) {
      const begin = performance.now();
      await call(ctx);
      times[index].push(performance.now() - begin);
    }
  }
  return median(times[0]) / median(times[1]);
}

/** The cursor of a row in the middle of the history. */
async function middleOf(ctx, sort) {
  const { pages } = await program.listCalculations(ctx, { sort });
  const { next } = await program.listCalculations(ctx, { sort, page: Math.floor(pages / 2) });
  return next;
}

const show = (name, ratio) =>
  report(`${name}: ${ROWS} rows ÷ ${SHORT} rows`, ratio, `<= ${LIMIT}`, ratio <= LIMIT);

try {
  for (const sort of ['date', 'name', 'concentration']) {
    show(`first page by ${sort}`, await ratioOf((ctx) => program.listCalculations(ctx, { sort })));
    show(
      `last page by ${sort}`,
      await ratioOf((ctx) => program.listCalculations(ctx, { sort, page: 1_000_000 })),
    );
    const cursors = new Map();
    for (const id of ['long', 'short']) cursors.set(id, await middleOf(personOf(id), sort));
    show(
      `middle by ${sort}, with a cursor`,
      await ratioOf((ctx) => program.listCalculations(ctx, { sort, cursor: cursors.get(ctx.actor.id) })),
    );
  }
  show('statistics', await ratioOf((ctx) => program.calculationStatistics(ctx)));
} finally {
  await close();
}
