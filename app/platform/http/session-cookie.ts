/** Name of the session cookie. The `__Host-` prefix needs https, which plain localhost does not have everywhere. */
export function sessionCookieName(https: boolean): string {
  return https ? '__Host-vialbook_session' : 'vialbook_session';
}
