// A process in which an administrator suspends and reinstates accounts while people take and undo doses and import files,
// until it is killed at a random moment. `tests/integration/server/killed-acts.test.ts` looks at what it leaves.
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { isAppError } from '#app/domain/errors.ts';
import { logDose, undoDose } from '#app/features/doses/doses.server.ts';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { runImport, undoImport } from '#app/features/import/import.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { openTestDatabase, TERMINAL } from './database.ts';
import { onEngine } from './named-deployment.ts';
import { newPerson } from './people.ts';

const [directory = '', life = ''] = process.argv.slice(2);
const ACCOUNTS = ['one', 'two', 'three'].map((name) => `${name}@example.org`);
const confirmed = [...DOSE_WARNINGS];

const db = await openTestDatabase({ directory, env: { RATE_LIMIT_FACTOR: '100000' } });
const terminal = db.ctx(TERMINAL);
for (const email of ACCOUNTS)
  if ((await db.repos.addresses.findOwner(email)) === null) await newPerson(db, email);

let left = 3 + Math.floor(Math.random() * 15);

/** Counts what is done; after some of it the process has a few milliseconds left. */
function note(): void {
  left -= 1;
  if (left === 0) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Math.random() * 20);
}

/**
 * Whether a change may be refused now. MongoDB keeps what a killed process was changing locked for a minute
 * (`transactionLifetimeLimitSeconds`), which is longer than an act waits.
 */
const mayBeRefused = (error: unknown) =>
  isAppError(error) && (error.code === 'CONFLICT' || (!onEngine && error.code === 'DATABASE_UNAVAILABLE'));

async function administer(): Promise<never> {
  for (;;) {
    for (const email of ACCOUNTS) {
      const change = Math.random() < 0.5 ? 'suspend' : 'reinstate';
      await changeUser(terminal, change, { email, reason: 'as a test' }).catch((error: unknown) => {
        if (!mayBeRefused(error)) throw error;
      });
      note();
    }
  }
}

async function takeAndUndo(name: string): Promise<() => Promise<never>> {
  const { ctx, signedIn } = await newPerson(db, `${name}-${life}@example.org`, { plan: 'trial' });
  const now = new Date();
  const vial = await addVial(ctx, {
    ...{ name: 'BPC-157', concentration: '2.5', totalAmount: '5' },
    reconstitutionDate: now.toISOString().slice(0, 10),
  });
  await db.repos.webhooks.create(
    {
      ...{
        id: `hook_${name}${life}`,
        userId: signedIn.user.id,
        url: 'https://example.org/',
        secret: 'sealed',
      },
      ...{ oldSecret: null, oldSecretUntil: null },
      ...{ events: ['dose.taken'], createdAt: now, failingSince: null },
    },
    1,
  );
  const dose = {
    name: 'BPC-157',
    compoundId: vial.id,
    actualDose: '0.01',
    site: 'deltoid-left',
    confirmed,
  } as const;
  return async () => {
    for (let turn = 0; ; turn += 1) {
      // Sent twice, as by an impatient hand.
      const idempotencyKey = `${name} ${turn}`;
      const [logged] = await Promise.all([1, 2].map(() => logDose(ctx, dose, { idempotencyKey })));
      if (turn % 3 === 0 && logged?.done === true) await undoDose(ctx, logged.dose.id);
      note();
    }
  };
}

async function importAndUndo(): Promise<() => Promise<never>> {
  const { ctx } = await newPerson(db, `files-${life}@example.org`, { plan: 'trial' });
  return async () => {
    for (let turn = 0; ; turn += 1) {
      const calculations = Array.from({ length: 1100 }, (_, index) => ({
        ...{
          id: `calc_${life}x${String(turn * 10_000 + index).padStart(10, '0')}`,
          createdAt: '2026-01-05T08:00:00.000Z',
        },
        ...{ peptideAmount: 5, waterVolume: 2, desiredDose: 0.25 },
      }));
      const bytes = new TextEncoder().encode(JSON.stringify({ calculations }));
      const { id } = await runImport(ctx, { bytes });
      if (turn % 2 === 0) await undoImport(ctx, id);
      note();
    }
  };
}

const begin = [await takeAndUndo('ann'), await takeAndUndo('bob'), await importAndUndo(), administer];
await Promise.all(begin.map((work) => work()));
