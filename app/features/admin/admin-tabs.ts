/** The tabs of the admin area, in their order. */
export const ADMIN_TABS = [
  { to: '/admin/dashboard', label: 'Overview', end: true },
  { to: '/admin/dashboard/users', label: 'Users' },
  { to: '/admin/dashboard/subscriptions', label: 'Subscriptions' },
  { to: '/admin/dashboard/system', label: 'System' },
  { to: '/admin/dashboard/audit', label: 'Audit' },
] as const;
