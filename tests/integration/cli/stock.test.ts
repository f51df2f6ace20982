import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { correctRemaining, addVial } from '#app/features/vials/vials.server.ts';
import { runCli, spawnCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true });
  const well = await newPerson(db, 'well@example.org', { plan: 'trial' });
  await addVial(well.ctx, {
    name: 'BPC-157',
    totalAmount: '5',
    waterMl: '2',
    expirationDate: '2190-01-01',
    lot: 'A\u001b[2J1',
  });
  const low = await newPerson(db, 'low@example.org', { plan: 'trial' });
  const vial = { name: 'TB-500', totalAmount: '5', waterMl: '2', reconstitutionDate: '2026-01-01' };
  const { id } = await addVial(low.ctx, { ...vial, expirationDate: '2190-01-01' });
  await correctRemaining(low.ctx, id, { remainingAmount: '0.5' });
  const old = await newPerson(db, 'old@example.org', { plan: 'trial' });
  await addVial(old.ctx, { ...vial, reconstitutionDate: '2020-01-01' });
  await newPerson(db, 'none@example.org');
});
afterAll(() => db.dispose());

const stock = (email: string, ...more: string[]) =>
  runCli(['stock', '--user', email, ...more], { env: db.env });

describe('vialbook stock', () => {
  it('lists vials and what is known about their supply', async () => {
    const { code, stdout, stderr } = await stock('well@example.org');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^BPC-157\n {2}5 of 5 mg, 2\.5 mg\/ml {2}\(Sealed, Use by 1 Jan 2190, lot A\[2J1, vial_\w+\)\n {2}Unknown: no doses/,
    );
    expect(stdout).not.toContain('\u001b');
  });

  it('exits with 3 if something is low', async () => {
    const { code, stdout } = await stock('low@example.org');
    expect(code).toBe(3);
    expect(stdout).toContain('! TB-500 is running low. 0.5 mg left.\n');
  });

  it('exits with 3 if something is past its date, also with JSON', async () => {
    const { code, stdout } = await stock('old@example.org', '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      compounds: [{ name: 'TB-500', remainingAmount: 5, isExpired: true, expiry: 'past' }],
      forecasts: [{ nameKey: 'tb-500', level: 'unknown', why: 'no-doses' }],
      alerts: [{ kind: 'expired', name: 'TB-500' }],
    });
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('says that there are no vials', async () => {
    expect(await stock('none@example.org')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There are no vials in stock.\n',
    });
  });

  it('reports a wrong user', async () => {
    expect((await stock('nobody@example.org')).code).toBe(4);
    expect((await runCli(['stock'], { env: db.env })).code).toBe(2);
  });

  it('runs as a separate process beside others', async () => {
    const { code, stdout, stderr } = await spawnCli(['stock', '--user', 'low@example.org'], {
      env: { DATA_DIR: db.directory },
    });
    expect(code, stderr).toBe(3);
    expect(stdout).toContain('TB-500');
  });
});
