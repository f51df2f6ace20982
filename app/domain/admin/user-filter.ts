import { type Role, isDemoAddress } from '#app/domain/accounts/account.ts';
import { entitlementOf, type EntitlementSources } from '#app/domain/billing/plans.ts';

export const SUBSCRIPTION_FILTERS = ['all', 'free', 'premium'] as const;
export const STATUS_FILTERS = ['all', 'active', 'trial', 'past_due', 'canceled', 'suspended'] as const;
export const ROLE_FILTERS = ['all', 'user', 'admin', 'super_admin'] as const;
export const USER_SORTS = ['newest', 'oldest', 'email', 'last-active'] as const;

export type SubscriptionFilter = (typeof SUBSCRIPTION_FILTERS)[number];
export type StatusFilter = (typeof STATUS_FILTERS)[number];
export type RoleFilter = (typeof ROLE_FILTERS)[number];

/** Which accounts a list shows. */
export interface UserFilter {
  subscription: SubscriptionFilter;
  status: StatusFilter;
  role: RoleFilter;
  /** Only who was seen since. */
  activeSince: Date | null;
  /** Demo accounts instead of everybody else's. */
  isOfDemos: boolean;
}

type Filtered = EntitlementSources & { email: string; role: Role; lastSeenAt: Date; lastLogin: Date | null };

/** Whether an account is one of those that a list shows now. */
export function matchesUserFilter(user: Filtered, filter: UserFilter, now: Date): boolean {
  if (isDemoAddress(user.email) !== filter.isOfDemos) return false;
  const { subscription, status } = entitlementOf(user, now);
  if (filter.subscription !== 'all' && filter.subscription !== subscription) return false;
  if (filter.status === 'suspended' && user.suspendedAt === null) return false;
  if (filter.status !== 'all' && filter.status !== 'suspended' && filter.status !== status) return false;
  if (filter.role !== 'all' && filter.role !== user.role) return false;
  // Made at the terminal and never signed in to: nobody was there yet.
  return (
    filter.activeSince === null ||
    (user.lastLogin !== null && user.lastSeenAt.getTime() >= filter.activeSince.getTime())
  );
}
