import { ACCOUNT_MESSAGES, emailSchema } from '#app/domain/accounts/account-schema.ts';
import {
  IDENTITY_MESSAGES,
  MAX_IDENTITIES,
  NEW_IDENTITY_MESSAGES,
  registerWithProviderSchema,
  type RegisterWithProviderInput,
} from '#app/domain/accounts/identity-schema.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import {
  VISIT_MINUTES,
  type Identity,
  type ProviderVisit,
} from '#app/integrations/identity-providers.server.ts';
import { authorise, authoriseRecent, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { requireSwitchedOn } from '#app/platform/flags/flags.server.ts';
import {
  createOneTimeSecret,
  findOneTimeSecret,
  takeOneTimeSecret,
} from '#app/platform/secrets/secret-tokens.server.ts';
import { identityHash, identityRecord, linkIdentity } from './identities.server.ts';
import { requireSignUp, signUpState } from './invitations.server.ts';
import { createAccount } from './registration.server.ts';
import { repos } from './repositories.server.ts';
import { checkCodeIfNeeded } from './second-factor.server.ts';
import { rotateSession, type StartedSession } from './sessions.server.ts';
import {
  beginSignInByIdentity,
  signedIn,
  type BrowserTokens,
  type SignedIn,
  type SignInStep,
} from './sign-in.server.ts';

/** What somebody visits a provider for. */
export type ProviderUse = 'sign-in' | 'link' | 'confirm';

const VISIT = 'provider-visit';
const REGISTRATION = 'provider-registration';

/** The owner of a visit by somebody not yet identified. */
const NOBODY = 'nobody';

/** The provider with this id. @throws AppError NOT_FOUND */
export function getProvider(ctx: Ctx, id: string): { id: string; name: string } {
  authorise(ctx.actor, 'session.start');
  const provider = ctx.identityProviders.find(id);
  if (provider === undefined) throw new AppError('NOT_FOUND', 'There is no such way to sign in.');
  return provider;
}

/** Who may visit a provider for this, as the owner of the visit. */
function visitorFor(ctx: Ctx, use: ProviderUse): string {
  switch (use) {
    case 'sign-in':
      authorise(ctx.actor, 'session.start');
      return NOBODY;
    case 'link':
      return authoriseRecent(ctx, 'identity.manage').id;
    case 'confirm':
      return authoriseUser(ctx.actor, 'account.confirm-password').id;
  }
}

/**
 * Begins a visit to a provider. To confirm who they are, users of a second factor enter its code before it.
 * @returns the address to send the browser to, and what it keeps until it is back
 * @throws AppError NOT_FOUND for an unknown provider; RECENT_SIGN_IN_REQUIRED, INVALID_INPUT at the code, RATE_LIMITED,
 * PROVIDER_UNAVAILABLE
 */
export async function beginProviderVisit(
  ctx: Ctx,
  { provider, use, code }: { provider: string; use: ProviderUse; code?: string | undefined },
): Promise<{ address: string; visit: ProviderVisit }> {
  const { id } = getProvider(ctx, provider);
  const userId = visitorFor(ctx, use);
  await ctx.throttle.take({ rule: THROTTLE_RULES.providerVisit, who: ctx.client.address });
  if (use === 'confirm')
    await checkCodeIfNeeded(ctx, authoriseUser(ctx.actor, 'account.confirm-password'), code);
  const lifeMs = VISIT_MINUTES * MINUTE_MS;
  const facts = { provider: id, use };
  const state = await createOneTimeSecret(ctx, { userId, purpose: VISIT, lifeMs, facts });
  return ctx.identityProviders.begin(id, { state, isFresh: use === 'confirm' });
}

/** A visit as the browser brings it back. */
interface EndedVisit {
  provider: string;
  /** The query of the address that the provider sent the browser to. */
  answer: URLSearchParams;
  visit: ProviderVisit;
}

const startAgain = () => new AppError('INVALID_INPUT', IDENTITY_MESSAGES.again);

/** Who came back from a visit, which can end once and only for whom it began. */
async function endVisit(
  ctx: Ctx,
  use: ProviderUse,
  { provider, answer, visit }: EndedVisit,
): Promise<Identity> {
  const userId = visitorFor(ctx, use);
  // An answer to another visit does not use this one up.
  if (answer.get('state') !== visit.state) throw startAgain();
  const taken = await takeOneTimeSecret(ctx, VISIT, visit.state);
  const { provider: id, use: purpose } = taken?.facts ?? {};
  if (taken?.userId !== userId || id !== provider || purpose !== use) throw startAgain();
  return ctx.identityProviders.identify(provider, answer, visit);
}

/** The next step after the provider: a known person is signed in or asked for a code; a new one may register. */
export type ProviderStep = SignInStep | { next: 'register'; registration: string };

/**
 * Signs in who comes back from a provider.
 * @param invite the token of an invitation, for a server that wants one
 * @throws AppError INVALID_INPUT, PROVIDER_UNAVAILABLE, RATE_LIMITED, SUSPENDED; REGISTRATION_FAILED or SWITCHED_OFF for
 * somebody new who gets no account with it
 */
export async function endSignInVisit(
  ctx: Ctx,
  visit: EndedVisit,
  { invite, ...tokens }: BrowserTokens & { invite?: string | undefined } = {},
): Promise<ProviderStep> {
  const identity = await endVisit(ctx, 'sign-in', visit);
  const known = await repos(ctx).identities.findByHash(identityHash(identity));
  if (known !== null) return beginSignInByIdentity(ctx, known, tokens);
  const email = await newAddress(ctx, visit.provider, identity);
  const state = await signUpState(ctx, invite);
  if (!state.isOpen) throw new AppError('SWITCHED_OFF', state.reason);
  await requireSwitchedOn(ctx, 'registration');
  const registration = await createOneTimeSecret(ctx, {
    userId: NOBODY,
    purpose: REGISTRATION,
    lifeMs: REGISTRATION_MS,
    facts: { ...identity, email },
  });
  return { next: 'register', registration };
}

/** How long somebody new may take to agree to the terms. */
const REGISTRATION_MS = 30 * MINUTE_MS;

/**
 * The address for a new account. One that has an account is never linked by itself: whoever runs the provider could
 * otherwise open every account.
 */
async function newAddress(ctx: Ctx, provider: string, identity: Identity): Promise<string> {
  const { name } = getProvider(ctx, provider);
  const parsed = emailSchema.safeParse(identity.email ?? '');
  if (!parsed.success)
    throw new AppError('REGISTRATION_FAILED', NEW_IDENTITY_MESSAGES.unverified(name, ctx.hasPasswords));
  if ((await repos(ctx).addresses.findOwner(parsed.data)) !== null)
    throw new AppError('REGISTRATION_FAILED', NEW_IDENTITY_MESSAGES.taken(name));
  return parsed.data;
}

/** The identity and the address that a registration is for. @throws AppError NOT_FOUND when it is over */
function readRegistration(
  found: Awaited<ReturnType<typeof findOneTimeSecret>>,
): Identity & { email: string } {
  const { issuer, subject, email } = found?.facts ?? {};
  if (typeof issuer !== 'string' || typeof subject !== 'string' || typeof email !== 'string')
    throw new AppError('NOT_FOUND', IDENTITY_MESSAGES.again);
  return { issuer, subject, email };
}

/**
 * The address that an account would get which was begun with a provider.
 * @throws AppError NOT_FOUND when it was created or has expired
 */
export async function openProviderRegistration(ctx: Ctx, registration: string): Promise<{ email: string }> {
  authorise(ctx.actor, 'account.register');
  const { email } = readRegistration(await findOneTimeSecret(ctx, REGISTRATION, registration));
  return { email };
}

/**
 * Creates an account for who came from a provider, and signs in to it. It has a confirmed address and no password.
 * @throws AppError NOT_FOUND when it was created or has expired; SWITCHED_OFF, INVALID_INPUT, RATE_LIMITED, as a registration
 * with a password; REGISTRATION_FAILED when the address or the identity has an account meanwhile
 */
export async function registerWithProvider(
  ctx: Ctx,
  registration: string,
  input: RegisterWithProviderInput,
): Promise<SignedIn> {
  authorise(ctx.actor, 'account.register');
  await requireSwitchedOn(ctx, 'registration');
  const { plan, ref, timeZone, invite } = parseInput(registerWithProviderSchema, input);
  const { email } = await openProviderRegistration(ctx, registration);
  await requireSignUp(ctx, email, invite);
  await ctx.throttle.take({ rule: THROTTLE_RULES.registration, who: ctx.client.address });
  const account = { email, passwordHash: null, hasConfirmedEmail: true, plan, ref, timeZone, invite };
  const id = await createAccount(ctx, account, async (owner) => {
    const identity = readRegistration(await takeOneTimeSecret(ctx, REGISTRATION, registration));
    const record = { ...identityRecord(ctx, owner.id, identity), lastUsedAt: ctx.now() };
    if (!(await repos(ctx).identities.create(record, MAX_IDENTITIES)))
      throw new AppError('REGISTRATION_FAILED', ACCOUNT_MESSAGES.registrationFailed);
  });
  return signedIn(ctx, id, { remember: false, revision: 0 });
}

/**
 * Links the signed-in user's account with who comes back from a provider.
 * @throws AppError RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, PROVIDER_UNAVAILABLE; CONFLICT when another account is linked with it
 */
export async function endLinkVisit(ctx: Ctx, visit: EndedVisit): Promise<void> {
  await linkIdentity(ctx, await endVisit(ctx, 'link', visit));
}

/**
 * Confirms who the signed-in user is, by a new sign-in at a provider that the account is linked with.
 * @param token the session's current secret, which stops working
 * @throws AppError INVALID_INPUT, PROVIDER_UNAVAILABLE, UNAUTHENTICATED
 */
export async function endConfirmVisit(ctx: Ctx, visit: EndedVisit, token: string): Promise<StartedSession> {
  const identity = await endVisit(ctx, 'confirm', visit);
  const user = authoriseUser(ctx.actor, 'account.confirm-password');
  if (!(await repos(ctx).identities.isThere(user.id, identityHash(identity))))
    throw new AppError('INVALID_INPUT', IDENTITY_MESSAGES.notLinked);
  ctx.log.info({ userId: user.id }, 'identity confirmed');
  return rotateSession(ctx, token, { authenticatedAt: ctx.now() });
}

/**
 * Where a browser ends its session at a provider, which is not ours to end.
 * @throws AppError NOT_FOUND for a provider that has no such address; PROVIDER_UNAVAILABLE
 */
export async function signOutAtProvider(ctx: Ctx, provider: string): Promise<string> {
  authorise(ctx.actor, 'session.end');
  const { id, name } = getProvider(ctx, provider);
  const address = await ctx.identityProviders.signOutAddress(id);
  if (address === null) throw new AppError('NOT_FOUND', `${name}: ${IDENTITY_MESSAGES.noSignOut}`);
  return address;
}
