import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { runCli, spawnCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
let ada: Person;

beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true, realTime: true, env: { RATE_LIMIT_FACTOR: '100' } });
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial', timeZone: 'Europe/Berlin' });
});
afterAll(() => db.dispose());

const run = (...args: string[]) => runCli(args, { env: db.env });
const log = (...args: string[]) => run('log', '--user', ada.email, ...args);
/** The same in a separate process with an engine of its own, in another time zone than the user's. */
const logElsewhere = (...args: string[]) =>
  spawnCli(['log', '--user', ada.email, ...args], {
    env: { DATA_DIR: db.directory, TZ: 'America/New_York' },
  });
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);

describe('vialbook log', () => {
  it('marks a planned dose as taken, once', async () => {
    const vial = await stockedVial(ada);
    const { id } = await storedDose(db, await storedSchedule(db, ada), ago(1));
    const first = await log('--dose', id, '--site', 'deltoid-left');
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Dose marked as taken: BPC-157 250 mcg'),
    });
    const again = await log('--dose', id, '--json');
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stderr)).toMatchObject({ error: 'DOSE_ALREADY_LOGGED' });
    expect(await db.repos.vials.find(ada.signedIn.user.id, vial.id)).toMatchObject({ remaining: '4.75' });
  });

  it('asks about an amount above the ceiling that `vialbook ceiling` set', async () => {
    const cy = await newPerson(db, 'cy@example.org', { plan: 'trial' });
    const ceiling = (...args: string[]) => run('ceiling', '--user', cy.email, ...args);
    expect(await ceiling('BPC-157', '--per-dose', '500mcg')).toMatchObject({
      code: 0,
      stdout: 'BPC-157: at most 500 mcg a dose\n',
    });
    const asked = await run('log', '--user', cy.email, '--compound', 'bpc-157', '--amount', '501mcg');
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining('501 mcg is more than your limit of 500 mcg a dose.'),
    ]);
    expect(JSON.parse((await ceiling('--json')).stdout)).toMatchObject({
      ceilings: [{ name: 'BPC-157', unit: 'mcg', perDose: '500', perDay: null }],
    });
    expect(await ceiling('BPC-157', '--per-dose', 'none')).toMatchObject({
      code: 0,
      stdout: 'BPC-157: no ceilings\n',
    });
    expect((await ceiling('BPC-157', '--per-dose', '5 ml')).code).toBe(2);
  });

  it('asks about an unusual amount with exit code 2, and takes --confirm', async () => {
    const bo = await newPerson(db, 'bo@example.org', { plan: 'trial' });
    const plan = { doseAmount: '0.25', doseUnit: 'mg' as const };
    await storedDose(db, await storedSchedule(db, bo, plan), ago(1));
    const slip = ['log', '--user', bo.email, '--compound', 'BPC-157', '--amount', '2.5mg'];
    const asked = await run(...slip);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('2.5 mg is 10 × your planned 0.25 mg');
    const meant = await run(...slip, '--confirm');
    expect(meant).toMatchObject({ code: 0, stdout: expect.stringContaining('BPC-157 2.5 mg') });
  });

  it('logs a dose without a plan, at a time on the clock of the account', async () => {
    const day = localDateTime(ago(48), 'Europe/Berlin').slice(0, 10);
    const { code, stdout } = await logElsewhere(
      '--compound',
      'TB-500',
      '--amount',
      '2,5mg',
      '--at',
      `${day} 08:00`,
      '--json',
    );
    expect(code).toBe(0);
    const dose = JSON.parse(stdout) as { takenAt: string };
    expect(dose).toMatchObject({
      name: 'TB-500',
      actualDose: 2.5,
      doseUnit: 'mg',
      warnings: ['NO_OPEN_VIAL'],
    });
    expect(localDateTime(new Date(dose.takenAt), 'Europe/Berlin')).toBe(`${day} 08:00`);
  });

  it('shows warnings on stderr and still logs', async () => {
    const { code, stderr } = await log('--compound', 'Nothing in stock', '--amount', '1mg');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'No open vial has this name, so the dose is not taken from stock.\n',
    });
  });

  it('takes with --due all doses of the latest time slot that is due, or none', async () => {
    const cy = await newPerson(db, 'due@example.org', { plan: 'trial' });
    const due = (...args: string[]) => run('log', '--user', cy.email, '--due', ...args);
    expect(await due()).toMatchObject({ code: 4, stdout: '', stderr: 'vialbook: Nothing is due.\n' });
    const [hourAgo, dayAgo] = [ago(1), ago(23)];
    for (const [name, at] of [
      ['BPC-157', hourAgo],
      ['TB-500', hourAgo],
      ['Ipamorelin', dayAgo],
    ] as const)
      await storedDose(db, await storedSchedule(db, cy, { name }), at);
    await run('ceiling', '--user', cy.email, 'TB-500', '--per-dose', '200mcg');
    const asked = await due();
    expect([asked.code, asked.stdout]).toEqual([2, '']);
    expect(asked.stderr).toContain('TB-500: 250 mcg is more than your limit of 200 mcg a dose.');
    const taken = await due('--confirm');
    expect(taken.code, taken.stderr).toBe(0);
    expect(taken.stdout.match(/(?<=taken: )\S+/g)?.sort()).toEqual(['BPC-157', 'TB-500']);
    const earlier = JSON.parse((await due('--json')).stdout) as object[];
    expect(earlier).toMatchObject([{ name: 'Ipamorelin', status: 'taken' }]);
    expect((await due('--compound', 'X')).code).toBe(2);
  });

  it('undoes a logged dose: it is pending again, and what it drew is returned', async () => {
    const vial = await stockedVial(ada, { name: 'Undone' });
    const schedule = await storedSchedule(db, ada, { name: 'Undone' });
    const { id } = await storedDose(db, schedule, ago(1));
    expect((await log('--dose', id)).code).toBe(0);
    expect(await db.repos.vials.find(ada.signedIn.user.id, vial.id)).toMatchObject({ remaining: '4.75' });
    const undone = await log('--undo', id);
    expect(undone).toMatchObject({ code: 0, stderr: '' });
    expect(undone.stdout).toBe('Undone: Undone is pending again. What it drew was returned to stock.\n');
    expect(await db.repos.vials.find(ada.signedIn.user.id, vial.id)).toMatchObject({ remaining: '5' });
    const again = await log('--undo', id, '--json');
    expect([again.code, JSON.parse(again.stderr)]).toEqual([1, expect.objectContaining({ success: false })]);
    const free = await log('--compound', 'Without a plan', '--amount', '1mg', '--json');
    const removed = await log('--undo', (JSON.parse(free.stdout) as { id: string }).id, '--json');
    expect(JSON.parse(removed.stdout)).toMatchObject({ status: 'removed' });
    expect((await log('--undo', id, '--site', 'thigh-left-upper')).code).toBe(2);
    expect((await log('--undo', 'dose_none')).code).toBe(4);
  });

  it('takes a dose as needed by the name of its schedule', async () => {
    const asNeeded = {
      name: 'As it comes',
      frequency: { kind: 'as-needed' as const, minGapHours: 4 },
      times: [],
    };
    const { id } = await storedSchedule(db, ada, asNeeded);
    const taken = await log('--as-needed', 'as it comes', '--json');
    expect(taken.code, taken.stderr).toBe(0);
    expect(JSON.parse(taken.stdout)).toMatchObject({ name: 'As it comes', status: 'taken' });
    const again = await log('--as-needed', id, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      warnings: expect.arrayContaining(['TOO_SOON']) as unknown,
    });
    expect((await log('--as-needed', 'nothing of mine')).code).toBe(4);
    expect((await log('--as-needed', id, '--compound', 'X')).code).toBe(2);
  });

  it('lists the sites when one is wrong, and in the help', async () => {
    const { code, stderr } = await log('--compound', 'X', '--amount', '1mg', '--site', 'elbow');
    expect(code).toBe(2);
    for (const site of SITE_IDS) expect(stderr).toContain(site);
    expect((await log('--help')).stdout.replaceAll(/\s+/g, ' ')).toContain(SITE_IDS.slice(0, 2).join('", "'));
  });

  it.each([
    [['--dose', 'dose_none'], 4],
    [['--compound', 'X'], 2],
    [['--amount', '1mg'], 2],
    [['--dose', 'dose_1', '--compound', 'X', '--amount', '1mg'], 2],
    [['--compound', 'X', '--amount', '1 pint'], 2],
    [['--compound', 'X', '--amount', '0mg'], 2],
    [['--compound', 'X', '--amount', '1mg', '--at', '25:00'], 2],
    [['--compound', 'X', '--amount', '1mg', '--at', '2999-01-01 08:00'], 2],
    [['--compound', 'X', '--amount', '1mg', '--site', 'elbow'], 2],
  ])('%j ends with %s', async (args, code) => {
    const result = await log(...args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).not.toBe('');
  });

  it('undoes a move by `vialbook move`, which first lists what moves', async () => {
    const { ctx } = ada;
    const startDate = localDateTime(ago(-24), 'UTC').slice(0, 10);
    const plan = { frequency: { kind: 'daily' }, times: ['08:00'], timeZone: 'UTC', startDate };
    const { id: scheduleId } = await createSchedule(ctx, {
      ...plan,
      name: 'Moved',
      doseAmount: '250',
      doseUnit: 'mcg',
    });
    const ownerId = ada.signedIn.user.id;
    const dues = async () =>
      (await db.repos.doses.list(ownerId, { scheduleId })).map(({ id, dueDate }) => [id, dueDate] as const);
    const before = await dues();
    const [first] = before;
    const move = (...args: string[]) => run('move', '--user', ada.email, first?.[0] ?? '', ...args);
    const to = ['--to', new Date((first?.[1].getTime() ?? 0) + 3_600_000).toISOString(), '--following'];
    const shown = await move(...to, '--dry-run', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ isMoved: false, scope: 'following', tooCloseTo: null });
    expect(await dues()).toEqual(before);
    expect(await move(...to)).toMatchObject({ code: 0, stdout: expect.stringContaining('  ->  ') });
    expect((await dues())[1]?.[1]).toEqual(new Date((before[1]?.[1].getTime() ?? 0) + 3_600_000));
    const undone = await logElsewhere('--undo', first?.[0] ?? '');
    const [day, time] = localDateTime(first?.[1] ?? new Date(), 'Europe/Berlin').split(' ');
    expect(undone).toMatchObject({
      code: 0,
      stdout: `Undone: Moved is due on ${day} at ${time} again. No stock was drawn or returned.\n`,
    });
    expect(await dues()).toEqual(before);
    expect((await move('--to', 'never')).code).toBe(2);
  });

  it('requires Premium', async () => {
    await newPerson(db, 'free@example.org');
    const args = ['log', '--user', 'free@example.org', '--compound', 'X', '--amount', '1mg'];
    expect((await run(...args)).code).toBe(5);
  });
});
