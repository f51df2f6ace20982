import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareExport } from '#app/features/export/export.server.ts';
import {
  recoverImports,
  applyImport,
  getImport,
  listImports,
  prepareImport,
  runImport,
  undoImport,
} from '#app/features/import/import.server.ts';
import { signOut } from '#app/features/accounts/sessions.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ROWS = 1200;

let db: TestDatabase;
let people = 0;
let files = 0;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '1000' } });
});
afterAll(() => db.dispose());

const someone = (plan?: 'trial') => newPerson(db, `sweep${(people += 1)}@example.org`, plan ? { plan } : {});
const sweep = () => recoverImports(db.ctx(WORKER.actor));

/** A file of new calculations that is stored in three pieces. */
function file() {
  files += 1;
  const calculations = Array.from({ length: ROWS }, (_, index) => ({
    id: `calc_${files}x${String(index).padStart(10, '0')}`,
    createdAt: '2026-01-05T08:00:00.000Z',
    peptideAmount: 5,
    waterVolume: 2,
    desiredDose: 0.25,
  }));
  return { bytes: new TextEncoder().encode(JSON.stringify({ calculations })) };
}

/** The stored file rows of an account. */
const pieces = ({ signedIn }: Person) =>
  testConnection(db).collection('import_pieces').countDocuments({ userId: signedIn.user.id });

const calculations = async (ctx: Ctx): Promise<number> => {
  const options = { format: 'json', types: ['calculations'], includeMetadata: false } as const;
  const text = await textOf((await prepareExport(ctx, { ...options, types: ['calculations'] })).open());
  return (JSON.parse(text) as { calculations: unknown[] }).calculations.length;
};

/** An import that stopped after its first piece, as a killed process leaves it. */
async function cutOff({ ctx, signedIn }: Person): Promise<string> {
  const record = await prepareImport(ctx, file());
  const { imports } = db.repos;
  const { takePiece } = imports;
  let read = 0;
  imports.takePiece = (...key) => {
    if ((read += 1) > 1) throw new Error('killed');
    return takePiece(...key);
  };
  await expect(applyImport(ctx, record.id)).rejects.toThrow('killed');
  imports.takePiece = takePiece;
  expect(await imports.find(signedIn.user.id, record.id)).toMatchObject({ state: 'applying' });
  return record.id;
}

describe('a checked file that is not imported', () => {
  it('waits for a day and is then deleted with all its rows', async () => {
    const person = await someone('trial');
    const { id } = await prepareImport(person.ctx, file());
    db.clock.advance(24 * HOUR_MS - 1);
    await sweep();
    expect(await getImport(person.ctx, id)).toMatchObject({ state: 'checked' });
    expect(await pieces(person)).toBe(3);
    db.clock.advance(1);
    expect(await sweep()).toBe(1);
    await expect(getImport(person.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(applyImport(person.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await pieces(person)).toBe(0);
    expect(await sweep()).toBe(0);
  });

  it('replaces the oldest of four, all of which can be imported until then', async () => {
    const person = await someone('trial');
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push((await prepareImport(person.ctx, file())).id);
      db.clock.advance(1000);
    }
    expect(await pieces(person)).toBe(4 * 3);
    await expect(getImport(person.ctx, ids[0] ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await applyImport(person.ctx, ids[1] ?? '')).added).toEqual({ calculations: ROWS });
  });

  it('is also deleted if it was never read to its end', async () => {
    const person = await someone('trial');
    const { id } = await prepareImport(person.ctx, file());
    await db.repos.imports.move(person.signedIn.user.id, id, ['checked'], { state: 'reading' });
    db.clock.advance(24 * HOUR_MS);
    await sweep();
    await expect(getImport(person.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await pieces(person)).toBe(0);
  });
});

describe('an interrupted import', () => {
  it('is finished by a worker after ten minutes without progress', async () => {
    const person = await someone('trial');
    const id = await cutOff(person);
    expect(await calculations(person.ctx)).toBe(500);
    db.clock.advance(10 * MINUTE_MS - 1);
    expect(await sweep()).toBe(0);
    db.clock.advance(1);
    expect((await Promise.all([sweep(), sweep()])).toSorted()).toEqual([0, 1]);
    expect(await getImport(person.ctx, id)).toMatchObject({ state: 'done', added: { calculations: ROWS } });
    expect([await calculations(person.ctx), await pieces(person)]).toEqual([ROWS, 0]);
    await undoImport(person.ctx, id);
    expect(await calculations(person.ctx)).toBe(0);
  });

  it('leaves no rows in a free account whose sign-in has ended', async () => {
    const person = await someone();
    const id = await cutOff(person);
    const userId = person.signedIn.user.id;
    await signOut(person.ctx);
    db.clock.advance(10 * MINUTE_MS);
    expect(await sweep()).toBe(1);
    expect(await db.repos.imports.find(userId, id)).toMatchObject({ state: 'undone' });
    expect(await db.repos.importedCalculations.countImported(userId, id)).toBe(0);
  });

  it('continues in the sign-in of a free account, and its rows end with that sign-in', async () => {
    const person = await someone();
    await cutOff(person);
    db.clock.advance(10 * MINUTE_MS);
    expect(await sweep()).toBe(1);
    expect(await calculations(person.ctx)).toBe(ROWS);
    await signOut(person.ctx);
    const rows = testConnection(db).collection('calculations');
    expect(await rows.countDocuments({ userId: person.signedIn.user.id })).toBe(0);
  });

  it('is undone completely if its undo was interrupted', async () => {
    const person = await someone('trial');
    const { id } = await runImport(person.ctx, file());
    const { importedCalculations } = db.repos;
    const { deleteImported } = importedCalculations;
    importedCalculations.deleteImported = () => Promise.reject(new Error('killed'));
    await expect(undoImport(person.ctx, id)).rejects.toThrow('killed');
    importedCalculations.deleteImported = deleteImported;
    expect((await listImports(person.ctx)).items).toMatchObject([{ state: 'undoing' }]);
    db.clock.advance(10 * MINUTE_MS);
    expect(await sweep()).toBe(1);
    expect(await getImport(person.ctx, id)).toMatchObject({ state: 'undone' });
    expect(await calculations(person.ctx)).toBe(0);
  });
});

it('lets only the worker recover imports', async () => {
  const { ctx } = await someone('trial');
  await expect(recoverImports(ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
