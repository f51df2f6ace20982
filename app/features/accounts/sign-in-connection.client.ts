import { NoAnswerError } from '#app/ui/connection/no-answer.ts';

const ATTEMPT_KEY = 'vialbook-login-attempted';

/** Whether this browser session has tried to sign in before; true where storage is switched off. */
export function hasAttempted(): boolean {
  try {
    return sessionStorage.getItem(ATTEMPT_KEY) !== null;
  } catch {
    return true;
  }
}

/** True for the first sign-in attempt of this browser session, false from then on. */
export function isFirstAttempt(): boolean {
  const isFirst = !hasAttempted();
  try {
    sessionStorage.setItem(ATTEMPT_KEY, '1');
    return isFirst;
  } catch {
    // Storage may be switched off; every attempt then counts as a later one.
    return false;
  }
}

const UNAVAILABLE = new Set([502, 503, 504]);

/** True if nobody answered, or the application says that it cannot now. */
export function isUnreachable(thrown: unknown): boolean {
  if (thrown instanceof NoAnswerError) return true;
  return typeof thrown === 'object' && thrown !== null && 'status' in thrown
    ? UNAVAILABLE.has(Number(thrown.status))
    : false;
}
