const KEY = 'vialbook-login-attempted';

/** True for the first sign-in attempt of this browser session; from then on false. */
export function isFirstAttempt(): boolean {
  try {
    const isFirst = sessionStorage.getItem(KEY) === null;
    sessionStorage.setItem(KEY, '1');
    return isFirst;
  } catch {
    // Storage may be switched off; then every attempt is like a later one.
    return false;
  }
}
