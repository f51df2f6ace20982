import { offeredChanges, type UserChange } from '#app/domain/admin/user-changes.ts';
import { AppError } from '#app/domain/errors.ts';
import { ADMIN_MESSAGES } from '#app/domain/admin/admin-schema.ts';
import { deleteAccount } from './user-deletion.server.ts';
import { resetAccountSecondFactor, signOutAccount } from './user-security.server.ts';
import { downgradeAccount, upgradeAccount } from './user-plan.server.ts';
import { changeRole } from './user-roles.server.ts';
import { reinstateAccount, suspendAccount } from './user-status.server.ts';
import type { AccountView } from '#app/platform/access/account-view.server.ts';
import { mayDo, type Action } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import type { ListedUser } from './users.server.ts';
import { formText } from '#app/platform/http/forms.server.ts';

interface ChangeForm {
  id: string;
  reason: string;
  revision: string;
}

interface Change {
  /** What the policy is asked before the page is shown; the service asks again. */
  action: Action;
  run(ctx: Ctx, form: ChangeForm, sent: FormData): Promise<AccountView>;
  /** What is said when it is done. */
  done(email: string): string;
}

/** Every change with the service behind it. */
export const CHANGES: Readonly<Record<UserChange, Change>> = {
  upgrade: {
    action: 'admin.change-plan',
    run: upgradeAccount,
    done: (email) => `${email} has Premium now`,
  },
  downgrade: {
    action: 'admin.change-plan',
    run: downgradeAccount,
    done: (email) => `Premium of ${email} has ended`,
  },
  suspend: {
    action: 'admin.change-status',
    run: suspendAccount,
    done: (email) => `${email} is suspended`,
  },
  reinstate: {
    action: 'admin.change-status',
    run: reinstateAccount,
    done: (email) => `${email} is reinstated`,
  },
  'sign-out': {
    action: 'admin.change-locks',
    run: signOutAccount,
    done: (email) => `${email} is signed out everywhere`,
  },
  'reset-second-factor': {
    action: 'admin.change-locks',
    run: resetAccountSecondFactor,
    done: (email) => `Two-step sign-in of ${email} is off`,
  },
  role: {
    action: 'admin.change-role',
    run: (ctx, form, sent) => changeRole(ctx, { ...form, role: formText(sent, 'role') as 'user' }),
    done: (email) => `${email} has a new role`,
  },
  delete: {
    action: 'admin.delete-account',
    run: (ctx, form, sent) => deleteAccount(ctx, { ...form, confirmEmail: formText(sent, 'confirmEmail') }),
    done: (email) => `${email} is locked out and will be gone within minutes`,
  },
};

/** Makes the change of a form that names the account as it was shown. @throws AppError whatever the service throws */
export async function runChange(ctx: Ctx, change: UserChange, id: string, sent: FormData): Promise<string> {
  const reason = formText(sent, 'reason').trim();
  const revision = formText(sent, 'revision');
  if (!/^\d{1,9}$/.test(revision)) throw new AppError('CONFLICT', ADMIN_MESSAGES.stale);
  if (reason === '') {
    const message = ADMIN_MESSAGES.reason;
    throw new AppError('INVALID_INPUT', message, { fields: { reason: [message] } });
  }
  const { run, done } = CHANGES[change];
  const { email } = await run(ctx, { id, reason, revision }, sent);
  return done(email);
}

/** The changes of an account that mean something now and that this administrator may make. */
export function offeredTo(actor: SignedInUser, user: ListedUser): UserChange[] {
  const resource = { subject: { id: user.id, role: user.role } };
  return offeredChanges(user).filter((change) => mayDo(actor, CHANGES[change].action, resource));
}
