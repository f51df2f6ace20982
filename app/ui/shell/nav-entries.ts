import type { IconName } from '#app/ui/icon.tsx';

export interface NavEntry {
  to: string;
  label: string;
  description: string;
  icon: IconName;
  /** Premium only, and this reader is not: shown greyed, not a link. */
  locked?: boolean;
  /** Has a place of its own on the phone's bar; the others are behind "More". */
  onBar?: boolean;
  /** Further paths on which this entry is the current one. */
  alsoOn?: readonly string[];
}

const CALCULATOR: NavEntry = {
  to: '/dashboard/calculator',
  label: 'Calculator',
  description: 'dose calculations',
  icon: 'calculator',
  alsoOn: ['/dashboard'],
  onBar: true,
};

const VIALS: NavEntry = {
  to: '/dashboard/vials',
  label: 'Vials',
  description: 'what you have',
  icon: 'vial',
  onBar: true,
};

const PREMIUM: readonly NavEntry[] = [
  { to: '/dashboard/tracking', label: 'Tracking', description: 'injection sites', icon: 'pin', onBar: true },
  {
    to: '/dashboard/schedule',
    label: 'Schedule',
    description: 'dose reminders',
    icon: 'calendar',
    onBar: true,
  },
  { to: '/dashboard/analytics', label: 'Analytics', description: 'progress insights', icon: 'chart' },
  { to: '/dashboard/vendors', label: 'Vendors', description: 'supplier and inventory', icon: 'truck' },
];

const REFERRALS: NavEntry = {
  to: '/dashboard/referrals',
  label: 'Referrals',
  description: 'earn free premium',
  icon: 'gift',
};

const PROFILE: NavEntry = {
  to: '/dashboard/profile',
  label: 'Profile',
  description: 'account settings',
  icon: 'person',
};

/** Pages that are there. */
const READY = new Set([
  '/dashboard/calculator',
  '/dashboard/vials',
  '/dashboard/tracking',
  '/dashboard/analytics',
  '/dashboard/schedule',
  '/dashboard/vendors',
  '/dashboard/referrals',
  '/dashboard/profile',
]);

/**
 * What the navigation lists: pages that exist, and for free users the premium areas as locked entries.
 * A premium area is listed for premium users from the day its page is there.
 */
export function dashboardEntries(premium: boolean): NavEntry[] {
  const areas = premium ? PREMIUM : PREMIUM.map((entry) => ({ ...entry, locked: true }));
  const entries: readonly NavEntry[] = [CALCULATOR, VIALS, ...areas, REFERRALS, PROFILE];
  return entries.filter(({ to, locked }) => locked === true || READY.has(to));
}
