import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

// Names that end in a figure, one of them wider than any column.
const BPC = 'BPC-157';
const TB = 'TB-500';
const LONG = 'Tesamorelin, ipamorelin and CJC-1295 in acetate, batch mixture no 7';
const LOT = 'L-2207';
const NAMES = [BPC, TB, LONG, LOT];

/** What may stand directly before and after a name; a word or a figure may not. */
const BEFORE = /(?:^|[\s("'“‘+•!:,])$/u;
const AFTER = /^(?:$|[\s),:;+"'”’]|\.(?!\d))/u;

/** The places where something touches a name. */
function touching(line: string): string[] {
  return NAMES.flatMap((name) =>
    [...line.matchAll(new RegExp(name, 'gu'))]
      .filter(
        ({ index }) => !BEFORE.test(line.slice(0, index)) || !AFTER.test(line.slice(index + name.length)),
      )
      .map(({ index }) => line.slice(Math.max(0, index - 12), index + name.length + 12)),
  );
}

/** No line of a command's text has a name that touches something; at least one has a name. */
function expectSpaces({ stdout, stderr }: { stdout: string; stderr: string }, names: boolean): void {
  const lines = `${stdout}\n${stderr}`.split('\n');
  expect(lines.flatMap(touching)).toEqual([]);
  if (names) expect(lines.filter((line) => NAMES.some((name) => line.includes(name)))).not.toEqual([]);
}

describe('vialbook calc', () => {
  const two = [`${BPC}=5mg`, `${TB}=10mg`];
  const three = [`${LONG}=5mg`, `A=0.5mg`, `${BPC}=12.5mg`];
  const contents = [
    ['--amount', '5mg', '--name', BPC],
    ...[two, three].map((components) => components.flatMap((each) => ['--component', each])),
    [...two.flatMap((each) => ['--component', each]), '--dose-of', TB],
  ];
  const known = [
    ['--water', '2ml', '--dose', '250mcg'],
    ['--water', '2ml', '--draw', '0.1ml'],
    ['--dose', '250mcg', '--draw', '0.1ml'],
    ['--water', '0.5ml', '--dose', '4mg', '--displacement', '1', '--syringe', 'u40-1ml'],
    ['--water', '10ml', '--dose', '4mg', '--syringe', 'u100-0.3ml'],
  ];

  test.each(contents.flatMap((inside) => known.map((more) => [...inside, ...more].join('|'))))(
    'puts a space between a name and a figure: %s',
    async (line) => {
      const args = line.split('|');
      const found = await runCli(['calc', ...args]);
      expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: '' });
      expectSpaces(found, true);
      // The same for the calculator's own words: "Solution volume2 ml".
      const words = NAMES.reduce((text, name) => text.replaceAll(name, ''), found.stdout);
      expect(words).not.toMatch(/\p{Ll}\d|\d\p{Lu}/u);
    },
  );

  it('does so with a measured content, and in its questions', async () => {
    const args = ['--amount', '5mg', '--measured', '5120 mcg', '--water', '2ml', '--dose', '1mg'];
    expectSpaces(await runCli(['calc', ...args, '--name', BPC]), true);
    const wrong = await runCli(['calc', '--component', `${BPC}=5mg`, '--component', `${TB}=none`]);
    expect(wrong.code).toBe(2);
    expectSpaces(wrong, false);
  });
});

describe('a command about an account', () => {
  let db: TestDatabase;
  let ada: Person;
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const run = (...args: string[]) => runCli([...args, '--user', ada.email], { env: db.env });

  beforeAll(async () => {
    db = await openTestDatabase({ ownEngine: true, realTime: true, env: { RATE_LIMIT_FACTOR: '100' } });
    ada = await newPerson(db, 'ada@example.org', { plan: 'trial', timeZone: 'UTC' });
    await stockedVial(ada, { reconstitutionDate: dayIn(-3) });
    const vial = { totalAmount: '5', waterMl: '2', lot: LOT, reconstitutionDate: dayIn(-3) };
    await addVial(ada.ctx, { name: TB, ...vial });
    await addVial(ada.ctx, { name: LONG, ...vial });
  });
  afterAll(() => db.dispose());

  it('puts a space between a name and a figure', async () => {
    const due = await storedDose(db, await storedSchedule(db, ada), new Date(Date.now() - 3_600_000));
    const times = { frequency: { kind: 'daily' as const }, times: ['08:00'], startDate: dayIn(0) };
    const plan = await createSchedule(ada.ctx, {
      ...{ name: LONG, doseAmount: '250', doseUnit: 'mcg', ...times },
    });
    const unplanned = ['log', '--compound', TB, '--amount', '250mcg'];
    const csv = `date,compound,dose,unit\n${dayIn(-2)} 08:00,${BPC},250,mcg\n`;
    const lines: string[][] = [
      ['due'],
      ['log', '--dose', due.id],
      unplanned,
      ['lot', LOT],
      ['stock'],
      ['ceiling', BPC, '--per-dose', '500mcg'],
      ['ceiling'],
      ['supplies', 'add', BPC, '--count', '20'],
      ['supplies', 'list'],
      ['schedule', 'list'],
      ['schedule', 'swap', plan.id, '--from', dayIn(2), '--name', TB, '--dry-run'],
      ['schedule', 'end', plan.id],
      ['move', due.id, '--to', `${dayIn(1)} 09:00`, '--dry-run'],
      ['profile', '--name', BPC],
    ];
    for (const line of lines) {
      const found = await run(...line);
      expect(touching(`${found.stdout}${found.stderr}`), line.join(' ')).toEqual([]);
    }
    const stored = await runCli(['import', '-', '--user', ada.email], { stdin: csv, env: db.env });
    expectSpaces(stored, false);
    expectSpaces(await run('import', '--list'), false);
    const found = await run('stock');
    expectSpaces(found, true);
    // A question, and what to type if the amount is right.
    const asked = await run('log', '--compound', TB, '--amount', '2.5mg');
    expect(asked).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--confirm') });
    expectSpaces(asked, false);
    const { error } = JSON.parse((await run('log', '--compound', TB, '--amount', '2.5mg', '--json')).stderr);
    expect(error).toBe('CONFIRM_DOSE');
  });
});
