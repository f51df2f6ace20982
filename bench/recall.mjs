// Prints how much longer it takes to find the doses from a lot among many doses than among few.
//   npm run bench -- recall [doses]
import { performance } from 'node:perf_hooks';
import { report } from './calculation-data.mjs';
import { openWithTrackers, personOf } from './tracking-data.mjs';

const DOSES = Number(process.argv[2] ?? 1_000_000);
const SHORT = 1000;
const OF_LOT = 100;
const ROUNDS = 60;
const LIMIT = 1.5;
const BATCH = 2000;
const MINUTE = 60_000;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** A vial of the lot with its doses, and all other doses from vials of other lots, interleaved in time. */
async function fill(program, ctx, userId, doses) {
  const { mongoose, addVial, logDose } = program;
  const open = { name: 'BPC-157', amountMg: '5000', waterMl: '2', reconstitutionDate: '2026-01-01' };
  const { id: vial } = await addVial(ctx, { ...open, lot: 'L-1' });
  const { id: other } = await addVial(ctx, { ...open, lot: 'L-2' });
  const confirmed = ['TOO_SOON', 'PAST_DATE', 'ABOVE_PLAN', 'BELOW_PLAN', 'ABOVE_CEILING', 'ABOVE_VIAL'];
  const taken = { name: 'BPC-157', actualDose: '0.25', doseUnit: 'mg', confirmed };
  await logDose(ctx, { ...taken, compoundId: vial });
  const db = mongoose.connections.at(-1);
  const sample = await db.collection('doses').findOne({ userId, 'draws.0': { $exists: true } });
  const note = await db.collection('dose_draws').findOne({ userId });
  const every = Math.floor(doses / OF_LOT);
  const now = Date.now();
  for (let from = 0; from < doses - 1; from += BATCH) {
    const places = Array.from({ length: Math.min(BATCH, doses - 1 - from) }, (_, index) => from + index);
    const rows = places.map((place) => {
      const at = new Date(now - (place + 1) * MINUTE);
      const compoundId = place % every === 0 && place / every < OF_LOT - 1 ? vial : other;
      const id = `dose_${userId}${String(place).padStart(9, '0')}`;
      return { ...sample, _id: id, takenAt: at, dueDate: at, draws: [{ compoundId, mg: '0.25' }] };
    });
    await db.collection('doses').insertMany(rows);
    await db.collection('dose_draws').insertMany(
      rows.map(({ _id: doseId, draws: [{ compoundId }] }) => {
        return { ...note, _id: `${doseId}:${note.round}:${compoundId}`, doseId, compoundId };
      }),
    );
  }
}

const { program, close, ctx } = await openWithTrackers({ long: { tracked: {} }, short: { tracked: {} } });
const people = ['long', 'short'].map((id) => ({ id, ctx: ctx(personOf(id)) }));

async function recall(person) {
  const found = await program.findRecall(person.ctx, person.id, 'L-1');
  const { doses, total } = await program.recalledDoses(person.ctx, person.id, found, { page: 1, limit: 100 });
  if (total !== OF_LOT || doses.length !== OF_LOT)
    throw new Error(`${total} doses were found, not ${OF_LOT}`);
}

try {
  await fill(program, people[0].ctx, 'long', DOSES);
  await fill(program, people[1].ctx, 'short', SHORT);
  const times = [[], []];
  for (const person of people) for (let warm = 0; warm < 5; warm += 1) await recall(person);
  // Alternately, so that a busy moment of the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, person] of people.entries()) {
      const begin = performance.now();
      await recall(person);
      times[index].push(performance.now() - begin);
    }
  }
  const ratio = median(times[0]) / median(times[1]);
  report(`recall of a lot: ${DOSES} doses ÷ ${SHORT} doses`, ratio, `<= ${LIMIT}`, ratio <= LIMIT);
} finally {
  await close();
}
