// One process of bench/doses.mjs: takes and undoes doses as some clients at once, and prints milliseconds and the number of
// database commands. It uses only what both versions of a comparison have.
import { performance } from 'node:perf_hooks';
import { addVial } from '#app/features/vials/vials.server.ts';
import { takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, testConnection } from '#tests/support/database.ts';
import { storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson } from '#tests/support/people.ts';

const [rounds = 40] = process.argv.slice(2).map(Number);
const CLIENTS = 32;
const CONFIRMED = ['TOO_SOON', 'OVER_DRAWN', 'PAST_DATE', 'ABOVE_PLAN', 'BELOW_PLAN'] as const;
const HOUR_MS = 3_600_000;

/** Somebody with doses to take. */
interface Client {
  ctx: Ctx;
  doses: string[];
}

const db = await openTestDatabase({
  monitorCommands: true,
  ownEngine: true,
  env: { RATE_LIMIT_FACTOR: '100000' },
});
let commands = 0;
testConnection(db)
  .getClient()
  .on('commandStarted', ({ commandName }) => {
    if (commandName !== 'hello' && commandName !== 'ping') commands += 1;
  });

/** A person with a vial and a schedule that draws from it, and doses. */
async function client(name: string, count: number): Promise<Client> {
  const person = await newPerson(db, `${name}@example.org`, { plan: 'trial' });
  const vial = await addVial(person.ctx, { name: 'BPC-157', totalAmount: '100', concentration: '10' });
  const schedule = await storedSchedule(db, person, { compoundId: vial.id });
  const doses: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const due = new Date(db.clock.now().getTime() - (index + 1) * HOUR_MS);
    doses.push((await storedDose(db, schedule, due)).id);
  }
  return { ctx: person.ctx, doses };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

type Act = (ctx: Ctx, id: string) => Promise<unknown>;
const take: Act = (ctx, id) => takeDose(ctx, id, { site: 'deltoid-left', confirmed: [...CONFIRMED] });

/** Everybody does one act with each of their doses, one after the other. */
async function measure(clients: readonly Client[], act: Act) {
  const times: number[] = [];
  const [begin, before] = [performance.now(), commands];
  await Promise.all(
    clients.map(async ({ ctx, doses }) => {
      for (const id of doses) {
        const started = performance.now();
        await act(ctx, id);
        times.push(performance.now() - started);
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1000;
  return {
    ms: median(times),
    commands: (commands - before) / times.length,
    perSecond: times.length / seconds,
  };
}

const each = Math.max(4, Math.round(rounds / 4));
const warm = [await client('warm', 10)];
await measure(warm, take);
await measure(warm, undoDose);
const one = [await client('one', rounds)];
const many: Client[] = [];
for (let index = 0; index < CLIENTS; index += 1) many.push(await client(`many-${index}`, each));
const shared = await client('shared', CLIENTS * 4);
// As many browsers of one person, who all draw from one vial.
const browsers = Array.from({ length: CLIENTS }, (_, index) => ({
  ctx: shared.ctx,
  doses: shared.doses.slice(index * 4, index * 4 + 4),
}));
const results = {
  'take, 1 client': await measure(one, take),
  'undo, 1 client': await measure(one, undoDose),
  'take, 32 clients': await measure(many, take),
  'undo, 32 clients': await measure(many, undoDose),
  'take, 32 from one vial': await measure(browsers, take),
};
await db.dispose();
process.stdout.write(`${JSON.stringify(results)}\n`);
process.exit();
