import type { UserChange } from '#app/domain/admin/user-changes.ts';
import type { BadgeTone } from '#app/ui/badge.tsx';

export const ROLE_WORDS = { user: 'User', admin: 'Admin', super_admin: 'Super Admin' } as const;
export const SUBSCRIPTION_WORDS = { free: 'Free', premium: 'Premium' } as const;
export const STATUS_WORDS = {
  active: 'Active',
  trial: 'Trial',
  past_due: 'Past due',
  canceled: 'Canceled',
} as const;

export const STATUS_TONES: Readonly<Record<keyof typeof STATUS_WORDS, BadgeTone>> = {
  active: 'good',
  trial: 'pen',
  past_due: 'warn',
  canceled: 'soft',
};

/** What a change is called on a button, asked as a question, and what follows from it. */
export const CHANGE_WORDS: Readonly<
  Record<UserChange, { label: string; ask: (email: string) => string; follows: string }>
> = {
  upgrade: {
    label: 'Upgrade',
    ask: (email) => `Upgrade ${email} to Premium?`,
    follows: 'The account is Premium at its next click, until an administrator ends it. Nothing is charged.',
  },
  downgrade: {
    label: 'Downgrade',
    ask: (email) => `End Premium of ${email}?`,
    follows:
      'Grant, trial, credit and the paid subscription end at once, without a refund. Nothing the person entered is deleted.',
  },
  suspend: {
    label: 'Suspend',
    ask: (email) => `Suspend ${email}?`,
    follows:
      'The person is out everywhere at the next click, and the subscription is cancelled at once, without a refund.',
  },
  reinstate: {
    label: 'Reinstate',
    ask: (email) => `Reinstate ${email}?`,
    follows: 'The person may sign in again. The subscription stays cancelled.',
  },
  'sign-out': {
    label: 'Sign out everywhere',
    ask: (email) => `Sign ${email} out everywhere?`,
    follows: 'Every browser has to sign in again. API tokens go on working.',
  },
  'reset-second-factor': {
    label: 'Reset second factor',
    ask: (email) => `Switch off two-step sign-in of ${email}?`,
    follows:
      'The password alone will sign in. Be sure that it is the person who asks. They are told by mail.',
  },
  role: {
    label: 'Change role',
    ask: (email) => `Change the role of ${email}?`,
    follows: 'The new role counts from the next click on. Admins see every account.',
  },
  delete: {
    label: 'Delete',
    ask: (email) => `Delete ${email}?`,
    follows:
      'The person is out at once, and within minutes everything of the account is gone, pictures too. It cannot be taken back.',
  },
};
