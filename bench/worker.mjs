// Reminders sent per second by four workers compared with one, and what is sent twice.
//   npm run build && npm run bench -- worker                       throughput
//   npm run build && npm run bench -- worker --kill [reminders]    100,000 reminders as push, over ntfy and as
//                                                              webhooks, two of four workers killed on the way
//   npm run build && npm run bench -- worker --lives               the same while people take, undo and move doses
import { bundleChild, IN_FLIGHT, livesRound, workerRound } from '../tests/support/rounds/worker-rounds.mjs';

const DOSES = 2_000;
/** The response time of a remote push service, in ms. */
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
  const twice = [...rounds[1], ...rounds[4]].reduce((sum, { push }) => sum + push.resent, 0);
  report('sent twice without a kill', twice, '0', twice === 0);
}

async function kill(file, doses) {
  const outcome = await workerRound({
    file,
    doses,
    workers: 4,
    killed: KILLED,
    leaseMs: 20_000,
    everywhere: true,
  });
  console.log(
    `${doses} reminders, ${outcome.perSecond.toFixed(0)} messages per second, ${KILLED} of 4 workers killed`,
  );
  const { push, ntfy, webhooks } = outcome;
  for (const [name, { sent }] of Object.entries({ push, ntfy, webhooks }))
    report(`${name}: lost`, doses - sent, '0', sent === doses);
  const most = KILLED * IN_FLIGHT;
  const reminders = push.resent + ntfy.resent;
  report('reminders sent again, under the same id', reminders, `<= ${most}`, reminders <= most);
  report('webhooks sent again, under the same id', webhooks.resent, `<= ${most}`, webhooks.resent <= most);
  report('sent under another id', outcome.underTwoIds, '0', outcome.underTwoIds === 0);
  report('left undone', outcome.left, '0', outcome.left === 0);
  report('led to a private address', outcome.ledInside, '> 0', outcome.ledInside > 0);
  report('connected to it', outcome.reachedInside, '0', outcome.reachedInside === 0);
}

const PEOPLE = 40;
const STEPS = 4_000;

async function lives(file) {
  const outcome = await livesRound({ file, people: PEOPLE, steps: STEPS, workers: 4, killed: KILLED });
  const { take, undo, move } = outcome.did;
  console.log(
    `${PEOPLE} people took ${take}, undid ${undo} and moved ${move} doses, ${KILLED} of 4 workers killed`,
  );
  for (const problem of outcome.problems) console.log(problem);
  report(
    'doses lost, doubled, misplaced or drawn wrongly',
    outcome.problems.length,
    '0',
    !outcome.problems.length,
  );
  const most = KILLED * IN_FLIGHT;
  for (const name of ['ntfy', 'webhooks']) {
    const { sent, resent } = outcome[name];
    report(`${name}: sent`, sent, '> 0', sent > 0);
    report(`${name}: sent again, under the same id`, resent, `<= ${most}`, resent <= most);
  }
  report('sent under another id', outcome.underTwoIds, '0', outcome.underTwoIds === 0);
  report('left undone', outcome.left, '0', outcome.left === 0);
}

const file = await bundleChild();
if (process.argv.includes('--lives')) await lives(file);
else if (process.argv.includes('--kill')) await kill(file, Number(process.argv.at(-1)) || 100_000);
else await throughput(file);
