// Reminders sent per second by four workers beside one, and what is sent twice.
//   npm run build && node bench/worker.mjs                       throughput
//   npm run build && node bench/worker.mjs --kill [reminders]    100,000 reminders, two of four workers killed on the way
import { bundleChild, IN_FLIGHT, workerRound } from './worker/rounds.mjs';

const DOSES = 2_000;
/** How long a push service far away takes to answer. */
const FAR_MS = 100;
const KILLED = 2;
const ROUNDS = 3;

function report(name, value, limit, ok) {
  console.log(
    `${name.padEnd(58)} ${String(value).padStart(9)}   to reach ${limit}   ${ok ? 'ok' : 'MISSED'}`,
  );
  if (!ok) process.exitCode = 1;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function throughput(file) {
  const rounds = { 1: [], 4: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const workers of [1, 4])
      rounds[workers].push(await workerRound({ file, doses: DOSES, workers, delayMs: FAR_MS }));
  const [one, four] = [1, 4].map((workers) => median(rounds[workers].map(({ perSecond }) => perSecond)));
  console.log(`one worker ${one.toFixed(0)} reminders per second, four ${four.toFixed(0)}`);
  report('sent per second: four workers ÷ one', (four / one).toFixed(2), '> 1', four > one);
  const twice = [...rounds[1], ...rounds[4]].reduce((sum, { resent }) => sum + resent, 0);
  report('sent twice without a kill', twice, '0', twice === 0);
}

async function kill(file, doses) {
  const outcome = await workerRound({ file, doses, workers: 4, killed: KILLED, leaseMs: 20_000 });
  console.log(
    `${doses} reminders, ${outcome.perSecond.toFixed(0)} per second, ${KILLED} of 4 workers killed`,
  );
  report('lost', doses - outcome.reminded, '0', outcome.reminded === doses);
  report('left undone', outcome.left, '0', outcome.left === 0);
  const most = KILLED * IN_FLIGHT;
  report('sent again, under the same id', outcome.resent, `<= ${most}`, outcome.resent <= most);
}

const file = await bundleChild();
if (process.argv.includes('--kill')) await kill(file, Number(process.argv.at(-1)) || 100_000);
else await throughput(file);
