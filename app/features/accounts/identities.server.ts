import { createHash } from 'node:crypto';
import { identityLinkedMail, identityUnlinkedMail } from '#app/domain/accounts/account-mails.ts';
import { IDENTITY_MESSAGES, MAX_IDENTITIES } from '#app/domain/accounts/identity-schema.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import type { Identity } from '#app/integrations/identity-providers.server.ts';
import { authoriseRecent, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import type { IdentityRecord } from '#models/index.server.ts';
import { mayUsePassword } from './passwords.server.ts';
import { repos } from './repositories.server.ts';

/** A link of an account with a provider, as its owner sees it. */
export interface IdentityView {
  /** Not a secret. */
  id: string;
  /** The provider's name; its host when it is no longer in the settings. */
  name: string;
  /** The provider's id in the settings; null when it is no longer there. */
  provider: string | null;
  /** The address that the provider named. */
  email: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** How the signed-in user can sign in. */
export interface SignInWays {
  /** One that works here, see `mayUsePassword`. */
  hasPassword: boolean;
  /** Their ids. */
  passkeys: string[];
  identities: IdentityView[];
}

function view(ctx: Ctx, { hash, issuer, email, createdAt, lastUsedAt }: IdentityRecord): IdentityView {
  const provider = ctx.identityProviders.ofIssuer(issuer);
  const name = provider?.name ?? new URL(issuer).host;
  return { id: hash, name, provider: provider?.id ?? null, email, createdAt, lastUsedAt };
}

/** The key of an identity. */
export const identityHash = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string =>
  createHash('sha256')
    .update(JSON.stringify(['identity', issuer, subject]))
    .digest('base64url');

/** How the signed-in user can sign in, with their links newest first. */
export async function listSignInWays(ctx: Ctx): Promise<SignInWays> {
  const { id, role } = authoriseUser(ctx.actor, 'identity.list');
  const { users, passkeys, identities } = repos(ctx);
  const hash = await users.findPasswordHash(id);
  const keys = await passkeys.list(id);
  const linked = await identities.list(id);
  return {
    hasPassword: hash !== null && mayUsePassword(ctx, role),
    passkeys: keys.map((key) => key.hash),
    identities: linked.map((record) => view(ctx, record)),
  };
}

/**
 * One of the signed-in user's links.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; NOT_FOUND when the user has no such link
 */
export async function getIdentity(ctx: Ctx, id: string): Promise<IdentityView> {
  authoriseRecent(ctx, 'identity.manage');
  const found = (await listSignInWays(ctx)).identities.find((identity) => identity.id === id);
  if (found === undefined) throw new AppError('NOT_FOUND', IDENTITY_MESSAGES.none);
  return found;
}

const momentOf = ({ appUrl, now, timeZone }: Ctx) => ({ appUrl, at: now(), timeZone });

/** The record of an identity that its owner just proved. */
export const identityRecord = (ctx: Ctx, userId: string, identity: Identity): IdentityRecord => ({
  hash: identityHash(identity),
  userId,
  ...identity,
  createdAt: ctx.now(),
  lastUsedAt: null,
});

/**
 * Links the signed-in user's account with an identity that they just proved.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; CONFLICT when an account is linked with it, or this one has the maximum
 */
export async function linkIdentity(ctx: Ctx, identity: Identity): Promise<void> {
  const user = authoriseRecent(ctx, 'identity.manage');
  const { identities } = repos(ctx);
  const record = identityRecord(ctx, user.id, identity);
  await ctx.transaction(async () => {
    const known = await identities.findByHash(record.hash);
    if (known?.userId === user.id) return;
    if (known !== null) throw conflict('ALREADY_EXISTS', IDENTITY_MESSAGES.notYours);
    if (!(await identities.create(record, MAX_IDENTITIES)))
      throw conflict('LIMIT_REACHED', IDENTITY_MESSAGES.limit);
    const after = { identity: record.hash };
    await recordAudit(ctx, { action: 'identity.link', subjectId: user.id, before: {}, after });
    const { name } = view(ctx, record);
    await ctx.mailQueue.post(user.email, identityLinkedMail({ ...momentOf(ctx), name }));
  });
}

/**
 * Removes one of the signed-in user's links, and ends a sign-in by it that waits for a code.
 * @throws AppError RECENT_SIGN_IN_REQUIRED; NOT_FOUND when the user has no such link; CONFLICT when it is their only way in
 */
export async function unlinkIdentity(ctx: Ctx, id: string): Promise<void> {
  const user = authoriseRecent(ctx, 'identity.manage');
  await ctx.transaction(async () => {
    await keepOneWay(ctx, id);
    const removed = await repos(ctx).identities.delete(user.id, id);
    if (removed === null) throw new AppError('NOT_FOUND', IDENTITY_MESSAGES.none);
    await repos(ctx).oneTimeSecrets.clear(user.id, 'sign-in');
    const before = { identity: id };
    await recordAudit(ctx, { action: 'identity.unlink', subjectId: user.id, before, after: {} });
    const { name } = view(ctx, removed);
    await ctx.mailQueue.post(user.email, identityUnlinkedMail({ ...momentOf(ctx), name }));
  });
}

/**
 * Refuses to remove the signed-in user's only way to sign in, in the act that removes it. A link whose provider is no longer in
 * the settings lets nobody in, so it is not counted.
 * @param without the id of the link or passkey to remove
 * @throws AppError CONFLICT
 */
export async function keepOneWay(ctx: Ctx, without: string): Promise<void> {
  const user = authoriseUser(ctx.actor, 'identity.list');
  const { hasPassword, passkeys, identities } = await listSignInWays(ctx);
  if (hasPassword) return;
  const usable = identities.flatMap(({ id, provider }) => (provider === null ? [] : [id]));
  const all = [...passkeys, ...usable];
  if (all.includes(without) && all.length === 1) throw conflict('WRONG_STATE', IDENTITY_MESSAGES.last);
  // Makes two removals at once conflict, which would otherwise each leave the other.
  await repos(ctx).users.renewRevision(user.id);
}
