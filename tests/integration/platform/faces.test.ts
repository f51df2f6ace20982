import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '#app/domain/errors.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';

/** Every server face, by feature. */
const FACES = import.meta.glob<Record<string, unknown>>('/app/features/*/index.server.ts', { eager: true });

/** Exports that visitors may call, or that are not operations, each with its reason. */
const OPEN: Readonly<Record<string, string>> = {
  resolveSession: 'finds out who asks',
  resolveApiToken: 'finds out who asks',
  resolveConnection: 'finds out who asks',
  actorOf: 'reads nothing: makes an actor of records',
  hashPassword: 'reads nothing',
  warmPasswords: 'reads nothing',
  refuseCommonPassword: 'reads nothing',
  mayUsePassword: 'reads nothing: a setting of this server',
  requirePasswords: 'reads nothing: a setting of this server',
  referralQr: 'reads nothing: draws an address',
  cardQr: 'reads nothing: draws an address',
  cardFile: 'reads nothing: writes a card as a file; throttled',
  signUpState: 'a visitor decides whether to register; the secret in an invitation is the permission',
  checkEmailLink: 'the secret in the mail is the permission',
  confirmEmail: 'the secret in the mail is the permission',
  checkResetLink: 'the secret in the mail is the permission',
  resetPassword: 'the secret in the mail is the permission',
  askForPasswordReset: 'whoever forgot a password is not signed in; throttled',
  signOut: 'without a session there is nothing to end',
  claimAddress: 'a step of registration, which is open to everybody',
  claimReferralCode: 'a step of registration, which is open to everybody',
  findReferrer: 'a step of registration, which is open to everybody',
  fillReferralPlace: 'a step of registration, which is open to everybody',
  applyReferralPayment: 'follows from an event that the payment provider signed',
  deliverHere: 'hands on events, which are accepted by their signature',
  moveCustomer: 'follows from the confirmation link of a new address',
  startDemoAccount: 'the demo is open to everybody; throttled',
  startDemo: 'the demo is open to everybody; throttled',
  newDose: 'reads nothing: makes a dose of its plan',
  takenChanges: 'reads nothing',
  stockKey: 'reads nothing',
  drawEntryId: 'reads nothing',
  siteEntryOfDose: 'reads nothing',
  keepDemoInterest: 'the waiting list is open to everybody; throttled',
  openActLink: 'the secret in the reminder is the permission',
  actOnLink: 'the secret in the reminder is the permission',
  confirmPushShown: 'the secret in the push message is the permission; throttled',
  openSharedReport: 'the secret in the link is the permission',
  readCalendarFeed: 'the secret in the link is the permission',
  eventTypeOf: 'reads nothing',
  toScheduleFacts: 'reads nothing',
  scheduleRow: 'reads nothing',
  measuredView: 'reads nothing',
  backupJob: 'reads nothing: makes a job',
  backupPlan: 'reads nothing',
  badRows: 'reads nothing',
  unusualRowText: 'reads nothing',
};

type Operation = (ctx: Ctx, ...input: unknown[]) => unknown;

const operations = Object.entries(FACES).flatMap(([file, face]) =>
  Object.entries(face)
    .filter((entry): entry is [string, Operation] => typeof entry[1] === 'function')
    .map(([name, run]) => ({ room: file.split('/')[3] ?? file, name, run })),
);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('no face lets a visitor in', () => {
  it.each(operations.filter(({ name }) => !(name in OPEN)))('$room: $name', async ({ run }) => {
    const called = Promise.resolve().then(() => run(database.ctx(), {}, {}, {}));
    const error: unknown = await called.then(
      () => 'it answered a visitor',
      (thrown: unknown) => thrown,
    );
    expect(isAppError(error) ? error.code : error).toBeOneOf(['UNAUTHENTICATED', 'FORBIDDEN']);
  });

  it('lists as open only what a face exports', () => {
    const names = operations.map(({ name }) => name);
    expect(Object.keys(OPEN).filter((name) => !names.includes(name))).toEqual([]);
  });
});
