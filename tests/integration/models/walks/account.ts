import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import {
  createApiToken,
  listApiTokens,
  resolveApiToken,
  revokeApiToken,
} from '#app/features/accounts/api-tokens.server.ts';
import {
  applyReferralPayment,
  getReferrals,
  createReferralCode,
} from '#app/features/referrals/referrals.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '#app/features/accounts/second-factor.server.ts';
import {
  addPasskey,
  addPasskeyOptions,
  confirmPasskeyOptions,
  listPasskeys,
  removePasskey,
  signInPasskeyOptions,
} from '#app/features/accounts/passkeys.server.ts';
import { confirmWithPasskey } from '#app/features/accounts/password-change.server.ts';
import { identityHash, linkIdentity, unlinkIdentity } from '#app/features/accounts/identities.server.ts';
import { beginSignInByIdentity, signIn, signInWithPasskey } from '#app/features/accounts/sign-in.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { readCalendarFeed } from '#app/features/schedules/calendar-feed.server.ts';
import { newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, PASSWORD } from '#tests/support/people.ts';
import { contextOfProgram } from '#app/features/accounts/api-tokens.server.ts';
import {
  acceptProposal,
  countWaitingProposals,
  declineAllProposals,
  declineProposal,
  listProposals,
  propose,
} from '#app/features/proposals/index.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { TERMINAL } from '#tests/support/database.ts';

/** A second factor: set up, used in both ways, renewed, and given up. */
export async function protect(db: TestDatabase): Promise<void> {
  const { ctx, email } = await newPerson(db, 'protected@example.org');
  await beginSecondFactor(ctx);
  const secret = (await getSecondFactor(ctx)).setup?.secret ?? '';
  await confirmSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) });
  const [recovery = ''] = await renewRecoveryCodes(ctx);
  await signIn(db.ctx(), { email, password: PASSWORD, code: 'wrong' }).catch(() => undefined);
  await signIn(db.ctx(), { email, password: PASSWORD, code: recovery });
  db.clock.advance(30_000);
  await signIn(db.ctx(), { email, password: PASSWORD, code: oneTimeCode(secret, db.clock.now()) });
  db.clock.advance(30_000);
  await endSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) });
}

/** A passkey: made, listed, used alone and to confirm, and removed. */
export async function useKey(db: TestDatabase): Promise<void> {
  const { ctx, signedIn } = await newPerson(db, 'keys@example.org');
  const device = new Authenticator(ctx.appUrl);
  await addPasskey(ctx, { name: 'Phone', passkey: device.make(await addPasskeyOptions(ctx)) });
  await signInWithPasskey(db.ctx(), { passkey: device.use(await signInPasskeyOptions(db.ctx())) });
  const passkey = device.use(await confirmPasskeyOptions(ctx));
  await confirmWithPasskey(ctx, { passkey }, signedIn.token);
  const [{ id = '' } = {}] = await listPasskeys(ctx);
  await removePasskey(ctx, id);
}

/** An identity at a provider: linked, used, and removed. What the provider does is not our database's. */
export async function comeFromElsewhere(db: TestDatabase): Promise<void> {
  const { ctx } = await newPerson(db, 'elsewhere@example.org');
  const identity = { issuer: 'https://id.example', subject: 'ada', email: 'ada@id.example' };
  await linkIdentity(ctx, identity);
  const known = await db.repos.identities.findByHash(identityHash(identity));
  if (known === null) throw new Error('it is not linked');
  await beginSignInByIdentity(db.ctx(), known);
  await unlinkIdentity(ctx, known.hash);
}

/** A personal token: made, used, listed, revoked. */
export async function useToken(db: TestDatabase): Promise<void> {
  const { ctx } = await newPerson(db, 'scripts@example.org');
  const { secret, token } = await createApiToken(ctx, { name: 'Script', scope: 'write', life: '30' });
  db.clock.advance(3_600_000);
  await resolveApiToken(db.ctx(), secret);
  await listApiTokens(ctx);
  await revokeApiToken(ctx, token.id);
}

/** Secrets that nobody has. */
export async function useUnknownSecrets(db: TestDatabase): Promise<void> {
  await resolveSession(db.ctx(), newToken());
  await readCalendarFeed(db.ctx(), newToken()).catch(() => undefined);
}

/** Somebody who brings a friend, who pays; and an account that gets its code late. */
export async function refer(db: TestDatabase): Promise<void> {
  const { token } = await signIn(db.ctx(), { email: 'one@example.org', password: PASSWORD });
  await createReferralCode(await ctxOfToken(db, token));
  const { ctx } = await newPerson(db, 'refers@example.org');
  const { code } = await createReferralCode(ctx);
  const { signedIn } = await newPerson(db, 'referred@example.org', { ref: code });
  await applyReferralPayment(ctx, signedIn.user.id, 'made');
  await getReferrals(ctx);
}

/** What programs propose: made, listed, accepted, declined. */
export async function beProposedTo(db: TestDatabase): Promise<void> {
  const { ctx, email } = await newPerson(db, 'proposed@example.org', { plan: 'trial' });
  const all = () => OPERATIONS;
  const program = await contextOfProgram(db.ctx(TERMINAL), email, 'write');
  const operation = OPERATIONS.find(({ id }) => id === 'setCeiling');
  if (operation === undefined) throw new Error('there is no call');
  const ask = (name: string) =>
    propose(program, all, operation, { params: {}, query: {}, body: { name, perDose: 5 } });
  const { id, mark } = await ask('BPC-157');
  await ask('TB-500');
  await acceptProposal(ctx, all, { id, mark, confirm: false });
  const { id: other } = await ask('KPV');
  await declineProposal(ctx, all, other);
  await listProposals(ctx, all, { page: 1, limit: 5 });
  await listProposals(ctx, all, { page: 1, limit: 5, waiting: true });
  await listProposals(ctx, all, { page: 1, limit: 5, waiting: false });
  await countWaitingProposals(ctx);
  await declineAllProposals(ctx);
  await db.repos.proposals.remove(id, id);
}
