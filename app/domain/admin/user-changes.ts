/** What administrators change of accounts, by the last part of the address of the page that asks once more. */
export const USER_CHANGES = [
  'upgrade',
  'downgrade',
  'suspend',
  'reinstate',
  'sign-out',
  'reset-second-factor',
  'role',
  'delete',
] as const;

export type UserChange = (typeof USER_CHANGES)[number];

/** True for the name of a change. */
export function isUserChange(name: string | undefined): name is UserChange {
  return (USER_CHANGES as readonly (string | undefined)[]).includes(name);
}

/** What decides which changes an account offers. */
interface Standing {
  subscription: 'free' | 'premium';
  suspended: boolean;
  secondFactor: boolean;
}

/** The changes that mean something for an account as it is, whoever may make them. */
export function offeredChanges({ subscription, suspended, secondFactor }: Standing): UserChange[] {
  const reset: UserChange[] = secondFactor ? ['reset-second-factor'] : [];
  if (suspended) return ['reinstate', ...reset, 'delete'];
  const plan: UserChange = subscription === 'premium' ? 'downgrade' : 'upgrade';
  return [plan, 'suspend', 'sign-out', ...reset, 'role', 'delete'];
}
