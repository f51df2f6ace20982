import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { runCli, spawnCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { BODY, ownerIdOf } from '#tests/support/schedule-people.ts';

let db: TestDatabase;
let ada: Person;

beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true, realTime: true, env: { RATE_LIMIT_FACTOR: '100' } });
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial', timeZone: 'UTC' });
});
afterAll(() => db.dispose());

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const words = (command: string, args: string[]) => ['schedule', command, ...args, '--user', ada.email];
const run = (command: string, ...args: string[]) => runCli(words(command, args), { env: db.env });
/** The same in a separate process with an engine of its own. */
const runApart = (command: string, ...args: string[]) =>
  spawnCli(words(command, args), { env: { DATA_DIR: db.directory } });
const made = (more: object) => createSchedule(ada.ctx, { ...BODY, times: ['08:00'], ...more });

describe('vialbook schedule', () => {
  it('plans a pause, reports errors in one, and ends it', async () => {
    const { id } = await made({ startDate: dayIn(0) });
    const listed = await runApart('list');
    expect(listed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${id}  BPC-157, Every day at 08:00`),
    });
    const wrong = await run('pause', id, '--from', dayIn(3), '--to', dayIn(2));
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('--to');
    const paused = await run('pause', id, '--from', dayIn(3), '--to', dayIn(5), '--json');
    expect(JSON.parse(paused.stdout)).toEqual({
      id,
      name: 'BPC-157',
      pauses: [{ firstDay: dayIn(3), lastDay: dayIn(5) }],
    });
    expect(await run('pause', id, '--from', dayIn(3), '--end')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'The schedule continues\n',
    });
  });

  it('lists what another compound would change, saves it, and undoes it', async () => {
    const { id } = await made({ startDate: dayIn(0) });
    const dry = await run('swap', id, '--from', dayIn(2), '--name', 'TB-500', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: 'Nothing was changed.\n' });
    expect(dry.stdout).toContain(`${dayIn(2)} 08:00  BPC-157, 0.25 mg  ->  TB-500, 0.25 mg\n`);
    const written = await run('swap', id, '--from', dayIn(2), '--name', 'TB-500', '--confirm', '--json');
    const { swaps } = JSON.parse(written.stdout) as { swaps: { id: string }[] };
    expect(swaps).toMatchObject([{ fromDay: dayIn(2), name: 'TB-500' }]);
    expect((await run('swap', id, '--undo', swaps[0]?.id ?? '')).code).toBe(0);
    expect(await db.repos.schedules.find(ownerIdOf(ada.ctx), id)).toMatchObject({ swaps: [] });
  });

  it('ends a schedule with its vial, or lets it continue', async () => {
    const { id: compoundId } = await addVial(ada.ctx, {
      name: 'BPC-157',
      totalAmount: '5',
      concentration: '2.5',
    });
    const { id } = await made({ startDate: dayIn(0), compoundId });
    const ended = await run('end', id);
    expect(ended).toMatchObject({ code: 0, stdout: 'BPC-157: ends with the vial\n' });
    expect((await run('list')).stdout).toContain('0.25 mg, ends with the vial\n');
    const json = await run('end', id, '--json');
    expect(JSON.parse(json.stdout)).toEqual({ id, name: 'BPC-157', endsWithVial: true, stopsAt: null });
    const goesOn = await run('end', id, '--no-with-vial');
    expect(goesOn).toMatchObject({ code: 0, stdout: 'BPC-157: does not end with the vial\n' });
    const { id: another } = await made({ startDate: dayIn(0) });
    expect((await run('end', another)).code).not.toBe(0);
  });

  it('starts an ended schedule again', async () => {
    const { id } = await made({ startDate: dayIn(-20), endDate: dayIn(-11) });
    const dry = await run('again', id, '--from', dayIn(1), '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      schedule: { id: null, startDate: dayIn(1), endDate: dayIn(10) },
    });
    const again = await run('again', id, '--from', dayIn(1), '--confirm');
    expect(again).toMatchObject({ code: 0, stderr: 'Schedule started again\n' });
    const refused = await run('again', again.stdout.split(' ')[0] ?? '');
    expect(refused.code).not.toBe(0);
  });
});
