import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USER_CHANGES } from '#app/domain/admin/user-changes.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { CompoundRow } from '#models/vials/vial.server.ts';
import { bundleChild } from '#tests/support/rounds/worker-rounds.mjs';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { sized } from '#tests/support/size.ts';

const LIVES = sized(5, 200);
/** 200 lives take a quarter of an hour. */
const PATIENCE_MS = sized(600_000, 3_600_000);
const RECORDS = 1100;
const ACCOUNTS = ['one', 'two', 'three'].map((name) => `${name}@example.org`);

let directory: string;
let child: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'vialbook-killed-'));
  child = await bundleChild('tests/support/killed-acts-child.ts');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs the process until it is killed. @returns what it said on its way, and how it ended */
async function live(life: number): Promise<[string, unknown]> {
  const running = spawn(process.execPath, [child, directory, String(life)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  running.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const [, signal] = (await once(running, 'close')) as [number | null, string | null];
  return [said, signal];
}

type Row = Record<string, unknown>;
const rowsOf = (db: TestDatabase, name: string, filter: Row) =>
  testConnection(db).collection<Row>(name).find(filter).sort({ _id: 1 }).toArray();

/** Accounts that are neither wholly suspended nor wholly reinstated, with their audit entries. */
async function halfChanged(db: TestDatabase): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const user of await rowsOf(db, 'users', { email: { $in: ACCOUNTS } })) {
    const audit = await rowsOf(db, 'audit', { subjectId: user['_id'] });
    const actions = audit.toSorted((a, b) => Number(a['at']) - Number(b['at'])).map(({ action }) => action);
    const suspensions = actions.filter((action) => action === USER_CHANGES.suspend.auditAction).length;
    const isSuspended = user['suspendedAt'] !== null;
    const isAudited = 2 * suspensions - actions.length === (isSuspended ? 1 : 0);
    const running = await rowsOf(db, 'sessions', { userId: user['_id'], endedAt: null });
    const isWhole = isAudited && (user['adminRevision'] ?? 0) === actions.length;
    if (!isWhole || (suspensions > 0 && running.length > 0)) wrong.push({ user, actions, running });
  }
  return wrong;
}

/** Doses of a person that disagree with the vial, the sites or the webhook's messages. */
async function wrongDoses(db: TestDatabase, userId: string): Promise<unknown[]> {
  const [vial] = (await rowsOf(db, 'compounds', { userId })) as unknown as CompoundRow[];
  const taken = await rowsOf(db, 'doses', { userId, status: 'taken' });
  const all = await rowsOf(db, 'doses', { userId });
  const sites = await rowsOf(db, 'injection_sites', { userId });
  const messages = await rowsOf(db, 'webhook_deliveries', { userId });
  const ledger = vial?.ledger ?? [];
  const left = ledger
    .reduce((sum, { mg }) => sum.plus(mg), new Decimal(vial?.totalAmount ?? 0))
    .plus(vial?.foldedMg ?? 0);
  const drawn = new Decimal(vial?.totalAmount ?? 0).minus(left);
  const facts = {
    remaining: [vial?.remaining, left.toFixed()],
    drawn: [drawn.toFixed(), new Decimal('0.01').times(taken.length).toFixed()],
    doses: [all.length, taken.length],
    sites: [sites.length, taken.length],
    // One for each time a dose was taken, also if it was undone.
    messages: [
      messages.length,
      ledger.filter(({ mg }) => mg.startsWith('-')).length + (vial?.foldedCount ?? 0),
    ],
  };
  const isFolded = (vial?.foldedCount ?? 0) > 0;
  const same = Object.entries(facts).filter(([name]) => !(isFolded && name === 'messages'));
  return same.some(([, [a, b]]) => a !== b) ? [facts] : [];
}

/** Imports that are not what their state says. */
async function wrongImports(db: TestDatabase, userId: string): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const { _id, state } of await rowsOf(db, 'imports', { userId })) {
    const there = (await rowsOf(db, 'calculations', { userId, importId: _id })).length;
    const pieces = await rowsOf(db, 'import_pieces', { userId, importId: _id });
    const waiting = pieces.reduce((sum, { text }) => sum + String(text).split('"createdAt"').length - 1, 0);
    const expected: Record<string, boolean> = {
      reading: there === 0,
      checked: there === 0 && waiting === RECORDS,
      applying: there + waiting === RECORDS,
      done: there === RECORDS,
      undoing: there <= RECORDS,
      undone: there === 0,
    };
    if (expected[String(state)] !== true) wrong.push({ _id, state, there, waiting });
  }
  return wrong;
}

describe('a process that is killed while people and administrators work', () => {
  it(
    `leaves each act done or not begun, ${LIVES} times`,
    async () => {
      const seen = { changes: 0, doses: 0, imports: 0 };
      for (let life = 0; life < LIVES; life += 1) {
        expect(await live(life)).toEqual(['', 'SIGKILL']);
        const db = await openTestDatabase({ directory });
        try {
          expect(await halfChanged(db)).toEqual([]);
          const idOf = async (name: string) =>
            (await db.repos.addresses.findOwner(`${name}-${life}@example.org`)) ?? '';
          for (const name of ['ann', 'bob']) {
            expect(await wrongDoses(db, await idOf(name)), `${name} ${life}`).toEqual([]);
            seen.doses += (await rowsOf(db, 'doses', { userId: await idOf(name) })).length;
          }
          const importer = await idOf('files');
          expect(await wrongImports(db, importer), `life ${life}`).toEqual([]);
          seen.imports += (await rowsOf(db, 'imports', { userId: importer })).length;
          seen.changes = (await rowsOf(db, 'audit', {})).length;
        } finally {
          await db.dispose();
        }
      }
      for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );
});
