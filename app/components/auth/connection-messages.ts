/** What a sign-in says when nobody answers (specification, section 8). */
export const CONNECTION_MESSAGES = {
  starting:
    'Server is starting up. Please wait a moment and try again. This only happens on the first login of the day.',
  failed: 'Failed to connect to server',
} as const;

const UNAVAILABLE = new Set([502, 503, 504]);

/** True when what was thrown means that no server, or none that works, was there; an answer in words is none. */
export function isUnreachable(thrown: unknown): boolean {
  if (thrown instanceof TypeError) return true;
  return typeof thrown === 'object' && thrown !== null && 'status' in thrown
    ? UNAVAILABLE.has(Number(thrown.status))
    : false;
}
