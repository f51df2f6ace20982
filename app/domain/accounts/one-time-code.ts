/** Figures of a code, as every authenticator app shows them (RFC 6238). */
export const CODE_DIGITS = 6;

/** Seconds that one code is shown. */
export const STEP_SECONDS = 30;

/** Steps before and after the present one that are accepted: clocks differ, and typing takes time (RFC 6238, 5.2). */
export const STEP_TOLERANCE = 1;

/** Bytes of a new secret: those of the hash behind it (RFC 4226, section 4, R6). */
export const SECRET_BYTES = 20;

/** The number of the step that an instant falls into. */
export function stepOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000 / STEP_SECONDS);
}

/** A code as it was typed, without blanks and hyphens; null when it cannot be one. */
export function parseCode(text: string): string | null {
  const code = text.replace(/[\s-]/g, '');
  return /^\d{6}$/.test(code) ? code : null;
}

/**
 * Whether a right code may be used: only once, and none older than one used before (RFC 6238, section 5.2). Store the
 * step of an accepted code, in one update that asks for a smaller stored one.
 * @param step the step whose code it is
 * @param lastStep the step of the last code that was accepted; null before the first
 */
export function isFreshStep(step: number, lastStep: number | null): boolean {
  return lastStep === null || step > lastStep;
}
