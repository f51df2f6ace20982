import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importCatalogue } from '#app/features/vendors/catalogue-import.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { FlagName } from '#app/domain/flags/flags.ts';
import { listFlags, switchFlag } from '#app/platform/flags/flags.server.ts';
import { dryRunImport } from '#app/features/import/import.server.ts';
import { addSupplier } from '#app/features/vendors/suppliers.server.ts';
import { startTrial } from '#app/features/billing/billing.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, registerPerson } from '#tests/support/people.ts';

let db: TestDatabase;
let terminal: Ctx;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
  terminal = db.ctx(TERMINAL, { address: 'terminal' });
});
afterAll(() => db.dispose());

const turn = (name: FlagName, state: 'on' | 'off') => switchFlag(terminal, { name, state, reason: 'a test' });
const SWITCHED_OFF = { code: 'SWITCHED_OFF' };

describe('a flag that is off', () => {
  it('registration: nobody can register, and the attempt leaves nothing behind', async () => {
    await turn('registration', 'off');
    await expect(registerPerson(db, 'late@example.org')).rejects.toMatchObject({
      ...SWITCHED_OFF,
      message: 'Registration is closed at the moment. Please try again later.',
    });
    await turn('registration', 'on');
    expect((await registerPerson(db, 'late@example.org')).signedIn.user.email).toBe('late@example.org');
  });

  it('trials: none starts, at registration or later', async () => {
    await turn('trials', 'off');
    const { ctx, signedIn } = await registerPerson(db, 'trial@example.org', { plan: 'trial' });
    expect(signedIn.user).toMatchObject({ subscription: 'free', trialAvailable: true });
    await expect(startTrial(ctx)).rejects.toMatchObject(SWITCHED_OFF);
    await turn('trials', 'on');
    expect((await startTrial(ctx)).subscriptionStatus).toBe('trial');
  });

  it('import: not available to accounts, but still at the terminal', async () => {
    const { ctx, email } = await newPerson(db, 'import@example.org');
    const bytes = Buffer.from('takenAt,name,amount,unit\n');
    await turn('import', 'off');
    await expect(dryRunImport(ctx, { bytes })).rejects.toMatchObject(SWITCHED_OFF);
    const there = await dryRunImport(terminal, { bytes }, email).catch((error: unknown) => error);
    expect(there).not.toMatchObject(SWITCHED_OFF);
    await turn('import', 'on');
  });

  it('catalogues from an address: only pasted ones work', async () => {
    const { ctx } = await newPerson(db, 'vendor@example.org', { plan: 'trial' });
    const { id } = await addSupplier(ctx, { name: 'Acme' });
    await turn('remote-catalogues', 'off');
    const url = 'https://acme.example/list.csv';
    await expect(importCatalogue(ctx, id, { url }, true)).rejects.toMatchObject(SWITCHED_OFF);
    const text = 'name;mg per vial;price\nBPC-157;10;49';
    expect(await importCatalogue(ctx, id, { text }, true)).toMatchObject({ added: 1 });
  });
});

describe('changing a flag', () => {
  it('is audited with its reason, and reports a conflict to the second of two admins', async () => {
    await turn('import', 'off');
    db.clock.advance(1000);
    const results = await Promise.allSettled([turn('import', 'on'), turn('import', 'on')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(turn('import', 'on')).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
    const [row] = await db.repos.audit.listAbout('switch:import', 1);
    expect(row).toMatchObject({ before: { isOn: false }, after: { isOn: true }, reason: 'a test' });
    const flags = await listFlags(terminal);
    expect(flags.find(({ name }) => name === 'import')).toMatchObject({ isOn: true });
  });

  it('needs an existing flag, a reason and an admin', async () => {
    const wrong = { name: 'everything', state: 'off', reason: '' } as never;
    await expect(switchFlag(terminal, wrong)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { name: [expect.any(String)], reason: [expect.any(String)] },
    });
    const { ctx, signedIn } = await newPerson(db, 'curious@example.org');
    const input = { name: 'import', state: 'off', reason: 'mine' } as const;
    await expect(switchFlag(ctx, input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(listFlags(db.ctx())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await db.repos.users.setRole(signedIn.user.id, 'admin');
    db.clock.advance(20 * 60_000);
    await expect(switchFlag(await ctxOfToken(db, signedIn.token), input)).rejects.toMatchObject({
      code: 'RECENT_SIGN_IN_REQUIRED',
    });
  });
});
