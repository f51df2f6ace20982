import { createHash } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import {
  addPasskeySchema,
  assertionShape,
  attestationShape,
  knownTransports,
  MAX_PASSKEYS,
  PASSKEY_MESSAGES,
  readPasskeyAnswer,
  type AddPasskeyInput,
  type Assertion,
} from '#app/domain/accounts/passkey-schema.ts';
import {
  passkeyAddedMail,
  passkeyCopiedMail,
  passkeyRemovedMail,
} from '#app/domain/accounts/account-mails.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import type { PasskeyRecord, UserRecord } from '#models/index.server.ts';
import { authorise, authoriseUser, authoriseRecent } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { createOneTimeSecret, takeOneTimeSecret } from '#app/platform/secrets/secret-tokens.server.ts';
import { keepOneWay } from './identities.server.ts';
import { repos } from './repositories.server.ts';

/** Loaded on first use, because the server starts faster without a certificate library. */
const webauthn = () => import('@simplewebauthn/server');

/** A passkey as its owner sees it. */
export interface PasskeyView {
  /** Not a secret. */
  id: string;
  name: string;
  /** It is available on several devices, for example through a password manager. */
  isSynced: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

function view({ hash, name, isSynced, createdAt, lastUsedAt }: PasskeyRecord): PasskeyView {
  return { id: hash, name, isSynced, createdAt, lastUsedAt };
}

/** The signed-in user's passkeys, newest first. */
export async function listPasskeys(ctx: Ctx): Promise<PasskeyView[]> {
  const { id } = authoriseUser(ctx.actor, 'passkey.list');
  return (await repos(ctx).passkeys.list(id)).map(view);
}

/**
 * One of the signed-in user's passkeys.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; NOT_FOUND when the user has no such passkey
 */
export async function getPasskey(ctx: Ctx, id: string): Promise<PasskeyView> {
  const user = authoriseRecent(ctx, 'passkey.manage');
  const found = (await repos(ctx).passkeys.list(user.id)).find(({ hash }) => hash === id);
  if (found === undefined) throw new AppError('NOT_FOUND', PASSKEY_MESSAGES.none);
  return view(found);
}

/** What a challenge was issued for: signing in, confirming one's identity, or adding a passkey. */
type PasskeyUse = 'sign-in' | 'confirm' | 'add';

/** The owner of a challenge for somebody not yet identified. */
const NOBODY = 'nobody';

/** How long a browser may take to answer a challenge. */
const CHALLENGE_MS = 5 * MINUTE_MS;

/** The site that passkeys belong to, from the settings and never from a request. */
function siteOf({ appUrl }: Pick<Ctx, 'appUrl'>): { origin: string; host: string } {
  const { origin, hostname } = new URL(appUrl);
  return { origin, host: hostname };
}

/** A new challenge: 32 random bytes, stored as a hash and used up by its first answer. */
async function newChallenge(ctx: Ctx, use: PasskeyUse, userId: string): Promise<Uint8Array<ArrayBuffer>> {
  await ctx.throttle.take({ rule: THROTTLE_RULES.passkeyChallenge, who: ctx.client.address });
  const facts = { use };
  const secret = await createOneTimeSecret(ctx, { userId, purpose: 'passkey', lifeMs: CHALLENGE_MS, facts });
  return new Uint8Array(Buffer.from(secret, 'base64url'));
}

async function takeChallenge(ctx: Ctx, use: PasskeyUse, userId: string, challenge: string): Promise<boolean> {
  const taken = await takeOneTimeSecret(ctx, 'passkey', challenge);
  return taken?.userId === userId && taken.facts['use'] === use;
}

const descriptor = ({ credentialId, transports }: PasskeyRecord) => ({
  id: credentialId,
  transports: knownTransports(transports),
});

/**
 * Options for the browser to sign in with a passkey. The authenticator itself knows which accounts it has passkeys for,
 * so the answer is the same for everybody.
 * @throws AppError RATE_LIMITED
 */
export async function signInPasskeyOptions(ctx: Ctx): Promise<PublicKeyCredentialRequestOptionsJSON> {
  authorise(ctx.actor, 'session.start');
  const challenge = await newChallenge(ctx, 'sign-in', NOBODY);
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: siteOf(ctx).host,
    challenge,
    userVerification: 'required',
  });
}

/** Options for the browser to confirm the owner's identity with one of an account's passkeys. */
export async function optionsOfAccount(
  ctx: Ctx,
  userId: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const passkeys = await repos(ctx).passkeys.list(userId);
  const challenge = await newChallenge(ctx, 'confirm', userId);
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: siteOf(ctx).host,
    challenge,
    userVerification: 'required',
    allowCredentials: passkeys.map(descriptor),
  });
}

/**
 * Options for the browser to confirm the signed-in user's identity.
 * @throws AppError RATE_LIMITED
 */
export async function confirmPasskeyOptions(ctx: Ctx): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { id } = authoriseUser(ctx.actor, 'account.confirm-password');
  return optionsOfAccount(ctx, id);
}

/**
 * The accepted signature algorithms, best first: EdDSA, ES256, RS256 (numbers of the COSE registry). Listed here so that
 * they do not depend on the version of Node: asking for algorithms that are experimental there prints a warning.
 */
const ALGORITHMS = [-8, -7, -257];

/**
 * Options for the browser to create a passkey for the signed-in user.
 * @throws AppError RECENT_SIGN_IN_REQUIRED, RATE_LIMITED
 */
export async function addPasskeyOptions(ctx: Ctx): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const user = authoriseRecent(ctx, 'passkey.manage');
  const passkeys = await repos(ctx).passkeys.list(user.id);
  const challenge = await newChallenge(ctx, 'add', user.id);
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: 'Vialbook',
    rpID: siteOf(ctx).host,
    userName: user.email,
    userID: new Uint8Array(Buffer.from(user.id)),
    challenge,
    attestationType: 'none',
    excludeCredentials: passkeys.map(descriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

const hashOf = (credentialId: string) =>
  createHash('sha256').update(`passkey\n${credentialId}`).digest('base64url');

const refused = () => new AppError('INVALID_INPUT', PASSKEY_MESSAGES.refused);

/** Runs a library check that throws when it refuses. @returns null when it does */
async function orRefused<T>(ctx: Ctx, check: Promise<T>): Promise<T | null> {
  try {
    return await check;
  } catch (error) {
    ctx.log.info({ reason: error instanceof Error ? error.message : String(error) }, 'passkey refused');
    return null;
  }
}

/**
 * Adds a passkey that the browser just created to the signed-in user's account.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; INVALID_INPUT for an answer that does not match our challenge; CONFLICT when
 * the account has the maximum, or an account already has this passkey
 */
export async function addPasskey(ctx: Ctx, input: AddPasskeyInput): Promise<void> {
  const user = authoriseRecent(ctx, 'passkey.manage');
  const { name, passkey } = parseInput(addPasskeySchema, input);
  const response = readPasskeyAnswer(attestationShape, passkey);
  if (response === null) throw refused();
  const { origin, host } = siteOf(ctx);
  const { transports, ...answer } = response.response;
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await orRefused(
    ctx,
    verifyRegistrationResponse({
      response: { ...response, response: { ...answer, ...(transports && { transports }) } },
      expectedChallenge: (challenge) => takeChallenge(ctx, 'add', user.id, challenge),
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (verified === null || !verified.verified) throw refused();
  const { credential, credentialDeviceType } = verified.registrationInfo;
  const record: PasskeyRecord = {
    hash: hashOf(credential.id),
    userId: user.id,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    isSynced: credentialDeviceType === 'multiDevice',
    name,
    createdAt: ctx.now(),
    lastUsedAt: null,
  };
  await ctx.transaction(() => storePasskey(ctx, user, record));
}

async function storePasskey(ctx: Ctx, user: SignedInUser, record: PasskeyRecord): Promise<void> {
  if (!(await repos(ctx).passkeys.create(record, MAX_PASSKEYS))) {
    const { length } = await repos(ctx).passkeys.list(user.id);
    throw length < MAX_PASSKEYS
      ? conflict('ALREADY_EXISTS', PASSKEY_MESSAGES.taken)
      : conflict('LIMIT_REACHED', PASSKEY_MESSAGES.limit);
  }
  const after = { passkey: record.hash };
  await recordAudit(ctx, { action: 'passkey.add', subjectId: user.id, before: {}, after });
  await ctx.mailQueue.post(user.email, passkeyAddedMail({ ...momentOf(ctx), name: record.name }));
}

const momentOf = ({ appUrl, now, timeZone }: Ctx) => ({ appUrl, at: now(), timeZone });

/**
 * Removes one of the signed-in user's passkeys.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; NOT_FOUND when the user has no such passkey; CONFLICT when it is their only way in
 */
export async function removePasskey(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseRecent(ctx, 'passkey.manage');
  await ctx.transaction(async () => {
    await keepOneWay(ctx, id);
    const removed = await repos(ctx).passkeys.delete(user.id, id);
    if (removed === null) throw new AppError('NOT_FOUND', PASSKEY_MESSAGES.none);
    const before = { passkey: id };
    await recordAudit(ctx, { action: 'passkey.remove', subjectId: user.id, before, after: {} });
    await ctx.mailQueue.post(user.email, passkeyRemovedMail({ ...momentOf(ctx), name: removed.name }));
  });
}

/** A browser's answer and the passkey that it names. */
interface UsedPasskey {
  record: PasskeyRecord;
  answer: Assertion;
}

/** The passkey that an answer names; null for an unknown one. Proves nothing yet. */
export async function findPasskey(ctx: Ctx, text: string): Promise<UsedPasskey | null> {
  const answer = readPasskeyAnswer(assertionShape, text);
  const record = answer && (await repos(ctx).passkeys.findByHash(hashOf(answer.id)));
  return answer && record && { record, answer };
}

/** Whether the passkey signed the answer on this site, for an unanswered challenge issued for that use. */
async function isSigned(ctx: Ctx, { record, answer }: UsedPasskey, use: PasskeyUse): Promise<boolean> {
  const { origin, host } = siteOf(ctx);
  const owner = use === 'sign-in' ? NOBODY : record.userId;
  const { userHandle, ...response } = answer.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== record.userId) return false;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await orRefused(
    ctx,
    verifyAuthenticationResponse({
      response: { ...answer, response: { ...response, ...(userHandle && { userHandle }) } },
      expectedChallenge: (challenge) => takeChallenge(ctx, use, owner, challenge),
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      // The counter is compared when it is written, so that one of two simultaneous answers is refused.
      credential: {
        id: record.credentialId,
        publicKey: new Uint8Array(Buffer.from(record.publicKey, 'base64url')),
        counter: 0,
      },
    }),
  );
  if (verified === null || !verified.verified) return false;
  const counter = verified.authenticationInfo.newCounter;
  if (await repos(ctx).passkeys.recordUse(record.userId, record.hash, { counter, at: ctx.now() }))
    return true;
  if (await repos(ctx).passkeys.isThere(record.userId, record.hash)) await reportCopy(ctx, record);
  return false;
}

/** Reports a counter that went backwards: somebody may have copied the authenticator. */
async function reportCopy(ctx: Ctx, { userId, hash, name }: PasskeyRecord): Promise<void> {
  ctx.log.warn({ userId, passkey: hash }, 'a passkey counted backwards');
  const user = await repos(ctx).users.find(userId);
  await ctx.transaction(async () => {
    const after = { passkey: hash };
    await recordAudit(ctx, { action: 'passkey.copied', subjectId: userId, before: {}, after });
    if (user === null) return;
    const { email, timeZone } = user;
    await ctx.mailQueue.post(email, passkeyCopiedMail({ ...momentOf(ctx), timeZone, name }));
  });
}

/**
 * Checks a passkey's answer at sign-in.
 * @param found the result of {@link findPasskey}
 * @throws AppError INVALID_INPUT, the same whatever was wrong; RATE_LIMITED, counted like wrong passwords
 */
export async function checkSignInPasskey(ctx: Ctx, found: UsedPasskey | null): Promise<PasskeyRecord> {
  await ctx.throttle.checkGuess(
    [{ rule: THROTTLE_RULES.signInClient, who: ctx.client.address }],
    async () => found !== null && isSigned(ctx, found, 'sign-in'),
    refused,
  );
  if (found === null) throw refused();
  return found.record;
}

/**
 * Checks that the owner of an account just used one of its passkeys.
 * @throws AppError INVALID_INPUT, RATE_LIMITED, counted like wrong codes
 */
export async function checkPasskey(ctx: Ctx, user: Pick<UserRecord, 'id'>, text: string): Promise<void> {
  const found = await findPasskey(ctx, text);
  await ctx.throttle.checkGuess(
    [{ rule: THROTTLE_RULES.secondFactor, who: user.id }],
    async () => found?.record.userId === user.id && isSigned(ctx, found, 'confirm'),
    refused,
  );
}
