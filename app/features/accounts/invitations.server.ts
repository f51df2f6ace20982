import { invitationMail } from '#app/domain/accounts/account-mails.ts';
import {
  ACCOUNT_MESSAGES,
  INVITATION_DAYS,
  inviteSchema,
  type InviteInput,
} from '#app/domain/accounts/account-schema.ts';
import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { LINKS } from '#app/domain/mail/letter.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { authorise, authoriseRecentOver } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import {
  createOneTimeSecret,
  findOneTimeSecret,
  hashToken,
  takeOneTimeSecret,
} from '#app/platform/secrets/secret-tokens.server.ts';
import { repos } from './repositories.server.ts';

const PURPOSE = 'invite';

/** Nobody owns an invitation: whoever it is for has no account yet. */
const NOBODY = 'invitation';

/** Names an invitation in the audit trail without its secret or anybody's address. */
const auditName = (token: string) => `invitation:${hashToken(token).slice(0, 12)}`;

/** An invitation as the administrator gets it, once. */
export interface Invitation {
  email: string;
  /** Opens the registration form; works once. */
  link: string;
  days: number;
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN, RECENT_SIGN_IN_REQUIRED; NOT_FOUND on a server without invitations */
export function openInvitations(ctx: Ctx): void {
  authoriseRecentOver(ctx, 'account.invite', {});
  if (ctx.signUp !== 'invite') throw new AppError('NOT_FOUND', ACCOUNT_MESSAGES.noInvitations);
}

/**
 * Invites somebody to this server: the link is mailed to them, and returned for an administrator whose server sends no mail.
 * Only its hash is stored.
 * @throws AppError as {@link openInvitations}; INVALID_INPUT, CONFLICT when the address has an account
 */
export async function invite(ctx: Ctx, input: InviteInput): Promise<Invitation> {
  openInvitations(ctx);
  const { email } = parseInput(inviteSchema, input);
  if ((await repos(ctx).addresses.findOwner(email)) !== null)
    throw conflict('ALREADY_EXISTS', `An account with the address ${email} already exists.`);
  return ctx.transaction(async () => {
    const lifeMs = INVITATION_DAYS * DAY_MS;
    const token = await createOneTimeSecret(ctx, {
      userId: NOBODY,
      purpose: PURPOSE,
      lifeMs,
      facts: { email },
    });
    await recordAudit(ctx, { action: 'account.invite', subjectId: auditName(token), before: {}, after: {} });
    const { appUrl } = ctx;
    await ctx.mailQueue.post(email, invitationMail({ appUrl, token, validDays: INVITATION_DAYS }));
    return { email, link: LINKS.invitation({ appUrl }, token), days: INVITATION_DAYS };
  });
}

/** Whether and for whom the registration form is there. */
export type SignUpState = { isOpen: true; email: string | null } | { isOpen: false; reason: string };

/** Tells whether an account can be created here, with the token of an invitation if there is one. */
export async function signUpState(ctx: Ctx, token: string | null | undefined): Promise<SignUpState> {
  authorise(ctx.actor, 'account.register');
  if (ctx.signUp === 'open') return { isOpen: true, email: null };
  if (ctx.signUp === 'closed') return { isOpen: false, reason: ACCOUNT_MESSAGES.closed };
  if (!token) return { isOpen: false, reason: ACCOUNT_MESSAGES.inviteOnly };
  const found = await findOneTimeSecret(ctx, PURPOSE, token);
  return found === null
    ? { isOpen: false, reason: ACCOUNT_MESSAGES.inviteOver }
    : { isOpen: true, email: String(found.facts['email']) };
}

/**
 * Refuses who may not create an account with this address.
 * @throws AppError SWITCHED_OFF; INVALID_INPUT for an invitation of another address
 */
export async function requireSignUp(ctx: Ctx, email: string, token: string | undefined): Promise<void> {
  const state = await signUpState(ctx, token);
  if (!state.isOpen) throw new AppError('SWITCHED_OFF', state.reason);
  if (state.email !== null && state.email !== email)
    throw fieldError('email', ACCOUNT_MESSAGES.inviteForOther);
}

/**
 * Uses an invitation up for a new account, in the transaction that creates it; nothing where none is needed.
 * @throws AppError SWITCHED_OFF when another registration was faster
 */
export async function acceptInvitation(ctx: Ctx, userId: string, token = ''): Promise<void> {
  if (ctx.signUp !== 'invite') return;
  authorise(ctx.actor, 'account.register');
  if ((await takeOneTimeSecret(ctx, PURPOSE, token)) === null)
    throw new AppError('SWITCHED_OFF', ACCOUNT_MESSAGES.inviteOver);
  const after = { by: auditName(token) };
  await recordAudit(ctx, { action: 'account.accept-invitation', subjectId: userId, before: {}, after });
}
