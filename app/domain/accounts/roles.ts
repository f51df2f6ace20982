export const ROLES = ['user', 'admin', 'super_admin'] as const;
/** What an account may do beyond its own data. */
export type Role = (typeof ROLES)[number];

/** True for the roles that may open the admin area. */
export function isAdminRole(role: Role): boolean {
  return role === 'admin' || role === 'super_admin';
}

/** Whether an account may not be without a second factor: admins need one wherever the site is reached by https. */
export function isSecondFactorRequired(role: Role, appUrl: string): boolean {
  return isAdminRole(role) && appUrl.startsWith('https:');
}
