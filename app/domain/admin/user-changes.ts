import type { Role } from '#app/domain/accounts/account.ts';

/** One kind of change to an account, as pages, API and terminal describe it. */
interface UserChangeDeclaration {
  /** The action that the access policy checks. */
  permission: string;
  auditAction: string;
  /** Button label. */
  label: string;
  /** Title of the confirmation page. */
  question(email: string): string;
  /** Shown below the question. */
  consequences: string;
  /** The same on a server that sells nothing, if it differs. */
  plainConsequences?: string;
  /** Success message, without a full stop. */
  done(account: { email: string; role: Role }): string;
  /** It takes something away, so its button is red. */
  isDangerous?: true;
  /** Has a page of its own, whose URL ends in the change's name. */
  onPage?: true;
  /** Help text of its terminal command, if it has one. */
  command?: string;
}

const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  user: 'a user',
  admin: 'an admin',
  super_admin: 'a super admin',
};

const newRole = ({ email, role }: { email: string; role: Role }) => `${email} is now ${ROLE_TEXTS[role]}`;

/** Every change that administrators can make to an account, for pages, API and terminal. */
export const USER_CHANGES = {
  upgrade: {
    permission: 'admin.change-plan',
    auditAction: 'user.upgrade',
    label: 'Upgrade',
    question: (email) => `Upgrade ${email} to Premium?`,
    consequences:
      'Takes effect on the next page load and lasts until an administrator ends it. Nothing is charged.',
    done: ({ email }) => `${email} now has Premium`,
    onPage: true,
    command: 'Grant an account Premium until an administrator ends it.',
  },
  downgrade: {
    permission: 'admin.change-plan',
    auditAction: 'user.downgrade',
    label: 'Downgrade',
    question: (email) => `End Premium for ${email}?`,
    consequences:
      'Grant, trial, credit and paid subscription end immediately, without a refund. None of the person’s data is deleted.',
    done: ({ email }) => `${email} is now on the free plan`,
    isDangerous: true,
    onPage: true,
    command: 'End everything that makes an account premium, including its subscription.',
  },
  suspend: {
    permission: 'admin.change-status',
    auditAction: 'user.suspend',
    label: 'Suspend',
    question: (email) => `Suspend ${email}?`,
    consequences:
      'Signs the person out everywhere and cancels a paid subscription immediately, without a refund. A grant, credit and the rest of a trial are kept; the trial is paused.',
    plainConsequences:
      'Signs the person out everywhere. They cannot sign in until you reinstate the account.',
    done: ({ email }) => `${email} is suspended`,
    isDangerous: true,
    onPage: true,
    command: 'Lock an account and end its subscription.',
  },
  reinstate: {
    permission: 'admin.change-status',
    auditAction: 'user.reinstate',
    label: 'Reinstate',
    question: (email) => `Reinstate ${email}?`,
    consequences:
      'The person can sign in again. A grant, credit and the rest of a trial resume; a canceled subscription stays canceled.',
    plainConsequences: 'The person can sign in again.',
    done: ({ email }) => `${email} is reinstated`,
    onPage: true,
    command: 'Unlock a suspended account. A grant, credit and trial resume; the subscription does not.',
  },
  'sign-out': {
    permission: 'admin.change-locks',
    auditAction: 'user.sign-out',
    label: 'Sign out everywhere',
    question: (email) => `Sign ${email} out everywhere?`,
    consequences: 'Every browser has to sign in again. API tokens keep working.',
    done: ({ email }) => `${email} is signed out everywhere`,
    onPage: true,
  },
  'end-session': {
    permission: 'admin.change-locks',
    auditAction: 'user.end-session',
    label: 'End session',
    question: (email) => `End this session of ${email}?`,
    consequences: 'This browser has to sign in again. Other sessions and API tokens keep working.',
    done: ({ email }) => `The session of ${email} has ended`,
    onPage: true,
  },
  'reset-second-factor': {
    permission: 'admin.change-locks',
    auditAction: 'user.reset-second-factor',
    label: 'Reset second factor',
    question: (email) => `Turn off two-step sign-in for ${email}?`,
    consequences:
      'The password alone will be enough to sign in. Make sure the request really comes from the owner, who is notified by email.',
    done: ({ email }) => `Two-step sign-in is off for ${email}`,
    isDangerous: true,
    onPage: true,
  },
  role: {
    permission: 'admin.change-role',
    auditAction: 'user.change-role',
    label: 'Change role',
    question: (email) => `Change the role of ${email}?`,
    consequences: 'Takes effect on the next page load. Admins can see every account.',
    done: newRole,
    onPage: true,
  },
  promote: {
    permission: 'admin.change-role',
    auditAction: 'user.change-role',
    label: 'Promote',
    question: (email) => `Promote ${email}?`,
    consequences: 'A user becomes an admin, an admin a super admin.',
    done: newRole,
    command: 'Raise the role by one step: user, admin, super_admin.',
  },
  demote: {
    permission: 'admin.change-role',
    auditAction: 'user.change-role',
    label: 'Demote',
    question: (email) => `Demote ${email}?`,
    consequences: 'A super admin becomes an admin, an admin a user.',
    done: newRole,
    command: 'Lower the role by one step. The last super_admin cannot be demoted.',
  },
  delete: {
    permission: 'admin.delete-account',
    auditAction: 'user.delete',
    label: 'Delete',
    question: (email) => `Delete ${email}?`,
    consequences:
      'The person is signed out immediately, and everything in the account, pictures included, is deleted within minutes. This cannot be undone.',
    done: ({ email }) => `${email} is locked out and will be deleted within minutes`,
    isDangerous: true,
    onPage: true,
  },
} as const satisfies Record<string, UserChangeDeclaration>;

export type UserChange = keyof typeof USER_CHANGES;

/** The declaration of a change, including its optional properties. */
export function userChange(change: UserChange): UserChangeDeclaration {
  return USER_CHANGES[change];
}

/** True for the name of a change that has a page. */
export function isChangeOnPage(name: string | undefined): name is UserChange {
  return (
    name !== undefined && Object.hasOwn(USER_CHANGES, name) && userChange(name as UserChange).onPage === true
  );
}

/** The changes that are commands of the terminal. */
export function terminalChanges(): UserChange[] {
  return (Object.keys(USER_CHANGES) as UserChange[]).filter(
    (change) => userChange(change).command !== undefined,
  );
}

/** Changes that exist only where plans are sold. */
export const PLAN_CHANGES: readonly UserChange[] = ['upgrade', 'downgrade'];

/** The facts that decide which changes an account offers. */
interface ChangeableAccount {
  subscription: 'free' | 'premium';
  suspended: boolean;
  secondFactor: boolean;
}

/** The changes that make sense for an account in its current state, regardless of permissions. Sessions are ended from their own rows. */
export function offeredChanges({ subscription, suspended, secondFactor }: ChangeableAccount): UserChange[] {
  const reset: UserChange[] = secondFactor ? ['reset-second-factor'] : [];
  if (suspended) return ['reinstate', ...reset, 'delete'];
  const plan: UserChange = subscription === 'premium' ? 'downgrade' : 'upgrade';
  return [plan, 'suspend', 'sign-out', ...reset, 'role', 'delete'];
}

/** The role one step up or down; null if there is none. */
export function roleStep(role: Role, step: 'up' | 'down'): Role | null {
  if (role === 'user') return step === 'up' ? 'admin' : null;
  if (role === 'admin') return step === 'up' ? 'super_admin' : 'user';
  return step === 'up' ? null : 'admin';
}
