export { CONNECTION_MESSAGES } from '#app/domain/accounts/sign-in-messages.ts';

const UNAVAILABLE = new Set([502, 503, 504]);

/** True when what was thrown means that no server, or none that works, was there; an answer in words is none. */
export function isUnreachable(thrown: unknown): boolean {
  if (thrown instanceof TypeError) return true;
  return typeof thrown === 'object' && thrown !== null && 'status' in thrown
    ? UNAVAILABLE.has(Number(thrown.status))
    : false;
}
