import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSupply } from '#app/features/supplies/index.server.ts';
import { addVial, correctRemaining } from '#app/features/vials/vials.server.ts';
import { askLocally, type LocalAnswers, serveLocally } from '#app/platform/local/local-answers.server.ts';
import { localAnswers } from '#app/server/local-answers.server.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson } from '#tests/support/people.ts';

const EMAIL = 'ada@example.org';
const SOCKET = 'terminal.sock';

let db: TestDatabase;
let asked: string[] = [];
let answers: LocalAnswers;
let place: { DATA_DIR: string; MONGODB_URI?: string | undefined };

beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true, realTime: true });
  place = { DATA_DIR: db.directory, MONGODB_URI: db.env['MONGODB_URI'] ?? db.settings.MONGODB_URI };
  const ada = await newPerson(db, EMAIL, { plan: 'trial' });
  const dates = { reconstitutionDate: '2026-01-01', expirationDate: '2190-01-01' };
  const vial = { name: 'TB-500 é', totalAmount: '5', waterMl: '2', lot: 'L-1', ...dates };
  const { id } = await addVial(ada.ctx, vial);
  await correctRemaining(ada.ctx, id, { remainingAmount: '0.5' });
  await addSupply(ada.ctx, { kind: 'syringe', name: 'Syringes', count: '20' });
  await storedDose(db, await storedSchedule(db, ada), new Date(Date.now() - 7_200_000));
  const own = localAnswers({ contextFor: ({ actor }) => db.ctx(actor) });
  answers = Object.fromEntries(
    Object.entries(own).map(([name, answer]) => [
      name,
      (email: string) => {
        asked.push(name);
        return answer(email);
      },
    ]),
  );
});
afterAll(() => db.dispose());

const COMMANDS = ['due', 'stock'].flatMap((name) =>
  [[], ['--json']].map((more) => [name, ...more, '--user', EMAIL]),
);
const runAll = () =>
  Promise.all(
    [...COMMANDS, ['due', '--user', 'nobody@example.org']].map((line) => runCli(line, { env: db.env })),
  );

describe('a running server on the same data directory', () => {
  it('answers due and stock, exactly as the commands do themselves', async () => {
    asked = [];
    const alone = await runAll();
    expect(asked).toEqual([]);
    const stop = await serveLocally(place, answers);
    const helped = await runAll();
    await stop();
    expect(helped).toEqual(alone);
    expect(helped.map(({ code }) => code)).toEqual([3, 3, 3, 3, 4]);
    expect(asked.toSorted()).toEqual(['due', 'due', 'due', 'stock', 'stock']);
    expect(await runAll()).toEqual(alone);
    expect(asked).toHaveLength(5);
  });

  it('can be asked only by its own user, and takes over the socket of one that was killed', async () => {
    await writeFile(path.join(db.directory, SOCKET), '');
    const stop = await serveLocally(place, answers);
    const { mode } = await stat(path.join(db.directory, SOCKET));
    expect(mode & 0o777).toBe(0o600);
    // Another server on the same directory leaves the first one its socket.
    await (
      await serveLocally(place, answers)
    )();
    expect(await askLocally(place, 'due', EMAIL)).not.toBeNull();
    await stop();
    expect(await readdir(db.directory)).not.toContain(SOCKET);
  });

  it('does not answer about another database, or what it does not know', async () => {
    const stop = await serveLocally(place, answers);
    const other = { ...place, MONGODB_URI: 'mongodb://other.example.org/vialbook' };
    expect(await askLocally(other, 'due', EMAIL)).toBeNull();
    for (const question of ['delete', '__proto__', 'toString'])
      expect(await askLocally(place, question, EMAIL)).toBeNull();
    await stop();
  });
});
