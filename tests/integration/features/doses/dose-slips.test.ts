import { afterAll, beforeAll, expect, it } from 'vitest';
import { amountWarnings, REPORTED_WARNINGS, unconfirmed } from '#app/domain/doses/dose-warnings.ts';
import { isAppError } from '#app/domain/errors.ts';
import { doseOperations } from '#app/features/doses/api.server.ts';
import { logDose, takeDose } from '#app/features/doses/doses.server.ts';
import { submitDoseForm, submitLogForm } from '#app/features/doses/pages.server.ts';
import { dryRunImport } from '#app/features/import/import.server.ts';
import { writeOfflineEntry } from '#app/features/offline/offline-entries.server.ts';
import type { PageArgs } from '#app/platform/http/route-handlers.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { slips, USED_COMPOUNDS, type Slip } from '#tests/support/dose-slips.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { isFullSize, sized } from '#tests/support/size.ts';

/** At full size the questions are printed, too. */
const COUNT = sized(150, 10_000);

let db: TestDatabase;

/** Makes a slip through one interface. True if it has to be confirmed and nothing was saved. */
type Door = (person: Prepared, slip: Slip) => Promise<boolean>;

/** A user who takes one compound at one dose, with a planned dose to log. */
interface Prepared {
  person: Person;
  doseId: string;
}

const people = new Map<string, Promise<Prepared>>();

/** Three recent doses, a vial and a due dose, created once for each compound and dose. */
async function prepare({ name, dose, perMl, vial }: Slip['meant'], hasPlan: boolean): Promise<Prepared> {
  const person = await newPerson(db, `slip-${people.size}@example.org`, { plan: 'trial' });
  await stockedVial(person, { name, totalAmount: '20', concentration: perMl, waterMl: null, ...vial });
  if (!hasPlan) {
    for (const days of [3, 2, 1]) {
      const takenAt = new Date(db.clock.now().getTime() - days * 86_400_000).toISOString();
      const confirmed = [...REPORTED_WARNINGS];
      await logDose(person.ctx, { name, actualDose: dose.text, doseUnit: dose.unit, takenAt, confirmed });
    }
    return { person, doseId: '' };
  }
  const plan = { name, doseAmount: dose.text, doseUnit: dose.unit };
  const schedule = await storedSchedule(db, person, plan);
  const { id } = await storedDose(db, schedule, new Date(db.clock.now().getTime() - 3_600_000));
  return { person, doseId: id };
}

function prepared(slip: Slip, hasPlan: boolean): Promise<Prepared> {
  const { name, dose } = slip.meant;
  const key = `${name} ${dose.text} ${hasPlan}`;
  const known = people.get(key);
  if (known) return known;
  const made = prepare(slip.meant, hasPlan);
  people.set(key, made);
  return made;
}

const UNUSUAL = ['ABOVE_PLAN', 'BELOW_PLAN', 'OTHER_MEASURE'];
const asks = (warnings: readonly { code: string }[]) => warnings.some(({ code }) => UNUSUAL.includes(code));

function formOf(fields: Record<string, string>): Request {
  return new Request('http://localhost:3000/dashboard/schedule', {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
}

interface FormAnswer {
  init: { status: number };
  data: { warnings?: { code: string }[] };
}

const DOORS: Readonly<Record<string, Door>> = {
  async page({ person, doseId }, { meant, written }) {
    const { ctx } = person;
    const actualDose = written.text;
    const isPlanned = doseId !== '' && written.unit === meant.dose.unit;
    const fields: Record<string, string> = isPlanned
      ? { actualDose }
      : { name: meant.name, actualDose, doseUnit: written.unit, idempotencyKey: 'slip' };
    const args = { request: formOf(fields), ctx, params: { id: doseId } } as unknown as PageArgs;
    const answer = (await (isPlanned ? submitDoseForm(args) : submitLogForm(args))) as unknown as FormAnswer;
    return answer.init.status === 409 && asks(answer.data.warnings ?? []);
  },
  async offline({ person, doseId }, { meant, written }) {
    const isPlanned = doseId !== '' && written.unit === meant.dose.unit;
    const actualDose = written.text;
    const entry = isPlanned
      ? { kind: 'dose-taken' as const, fields: { doseId, actualDose } }
      : { kind: 'dose-logged' as const, fields: { name: meant.name, actualDose, doseUnit: written.unit } };
    const about = {
      userId: person.signedIn.user.id,
      id: 'slip-at-this-device',
      at: db.clock.now().toISOString(),
    };
    const outcome = await writeOfflineEntry(person.ctx, { ...about, ...entry });
    return !outcome.done && asks(outcome.warnings);
  },
  async api({ person, doseId }, { meant, written }) {
    const isPlanned = doseId !== '' && written.unit === meant.dose.unit;
    const call = doseOperations.find(({ id }) => id === (isPlanned ? 'takeDose' : 'logDose'));
    const actualDose = Number(written.text);
    const body = isPlanned ? { actualDose } : { name: meant.name, actualDose, doseUnit: written.unit };
    const input = { params: { id: doseId }, query: {}, body, token: null, file: null } as never;
    try {
      await call?.run(person.ctx, input);
    } catch (error) {
      return isAppError(error) && error.code === 'CONFIRM_DOSE' && asks(error.warnings ?? []);
    }
    return false;
  },
  async terminal({ person, doseId }, { meant, written }) {
    const ctx = db.ctx(TERMINAL);
    const confirmed = [...REPORTED_WARNINGS];
    const actualDose = written.text;
    const isPlanned = doseId !== '' && written.unit === meant.dose.unit;
    const outcome = isPlanned
      ? await takeDose(ctx, doseId, { actualDose, confirmed }, person.email)
      : await logDose(
          ctx,
          { name: meant.name, actualDose, doseUnit: written.unit, confirmed },
          { email: person.email },
        );
    return !outcome.done && asks(unconfirmed(outcome.warnings, confirmed));
  },
  async import({ person }, { meant, written }) {
    const takenAt = new Date(db.clock.now().getTime() - 60_000).toISOString();
    const csv = `takenAt,name,amount,unit\n${takenAt},${meant.name},${written.text},${written.unit}\n`;
    const { unusual } = await dryRunImport(person.ctx, { bytes: new TextEncoder().encode(csv) });
    return asks(unusual);
  },
};

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '1000000' } });
});
afterAll(() => db.dispose());

it(
  'every tenfold, thousandfold or unit slip, also between IU, mg, units and clicks, has to be confirmed on pages, in the API and in the terminal',
  { timeout: 1_800_000 },
  async () => {
    const doors = Object.entries(DOORS);
    const unasked: string[] = [];
    const counts = new Map<string, number>();
    const made = slips(20_261_122);
    for (let index = 0; index < COUNT; index += 1) {
      const slip = made.next().value as Slip;
      const [name, door] = doors[index % doors.length] ?? ['', () => Promise.resolve(false)];
      const hasPlan = Math.floor(index / doors.length) % 2 === 0;
      const isAsked = await door(await prepared(slip, hasPlan), slip);
      const line = `${name}, ${hasPlan ? 'planned' : 'unplanned'}`;
      counts.set(line, (counts.get(line) ?? 0) + 1);
      if (!isAsked) unasked.push(`${line}: ${slip.kind}, ${JSON.stringify(slip)}`);
    }
    if (isFullSize) {
      for (const [line, count] of counts) process.stdout.write(`${line}: ${count} slips\n`);
      process.stdout.write(`${COUNT} slips, ${COUNT - unasked.length} asked about\n`);
    }
    expect(unasked).toEqual([]);
  },
);

it('the generated slips include every kind, and the rule finds each of them', () => {
  const made = slips(1);
  const kinds = new Set<string>();
  for (let index = 0; index < 500; index += 1) {
    const { kind, meant, written } = made.next().value as Slip;
    kinds.add(kind);
    const taken = { sameDayMg: '0', weekMg: '0' };
    const nothing = { ceiling: null, taken, leftMg: null, strength: null, syringe: 'u100-1ml' as const };
    const usual = { kind: 'plan' as const, amounts: [meant.dose] };
    const asked = amountWarnings(written, { usual, ...nothing });
    expect(asked, kind).toHaveLength(1);
    const isOther = (written.unit === 'IU') !== (meant.dose.unit === 'IU');
    expect(asked[0]?.code === 'OTHER_MEASURE', kind).toBe(isOther);
  }
  expect([...kinds].toSorted()).toEqual([
    'IU for a mass, or a mass for IU',
    'a hundred times',
    'a tenth',
    'a thousand times',
    'clicks of a pen that gives a fifth',
    'clicks of a pen that gives five times as much',
    'ten times',
    'the other unit',
    'the point lost',
    'units for the amount',
    'units written as IU',
  ]);
  expect(USED_COMPOUNDS.length).toBeGreaterThan(5);
});
