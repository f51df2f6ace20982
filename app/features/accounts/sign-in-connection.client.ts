const ATTEMPT_KEY = 'vialbook-login-attempted';

/** True for the first sign-in attempt of this browser session, false from then on. */
export function isFirstAttempt(): boolean {
  try {
    const isFirst = sessionStorage.getItem(ATTEMPT_KEY) === null;
    sessionStorage.setItem(ATTEMPT_KEY, '1');
    return isFirst;
  } catch {
    // Storage may be switched off; every attempt then counts as a later one.
    return false;
  }
}

const UNAVAILABLE = new Set([502, 503, 504]);

/** True for network errors and for 502, 503 and 504, which a proxy sends when no server answers. */
export function isUnreachable(thrown: unknown): boolean {
  if (thrown instanceof TypeError) return true;
  return typeof thrown === 'object' && thrown !== null && 'status' in thrown
    ? UNAVAILABLE.has(Number(thrown.status))
    : false;
}
