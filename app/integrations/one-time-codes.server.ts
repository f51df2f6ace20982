import { Secret, TOTP } from 'otpauth';
import {
  CODE_DIGITS,
  parseCode,
  STEP_SECONDS,
  STEP_TOLERANCE,
  stepOf,
} from '#app/domain/accounts/second-factor.ts';

/** The name authenticator apps show above the account. */
const ISSUER = 'Vialbook';

function codesOf(secret: string, account?: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    ...(account === undefined ? {} : { label: account }),
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: CODE_DIGITS,
    period: STEP_SECONDS,
  });
}

/**
 * A new secret in base 32, the form that authenticator apps use.
 * @param random `SECRET_BYTES` random bytes
 */
export function oneTimeSecret(random: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(random).buffer }).base32;
}

/** The `otpauth://` address behind the QR code. @param account what the app shows: the e-mail address */
export function oneTimeUri(secret: string, account: string): string {
  return codesOf(secret, account).toString();
}

/** The code an authenticator app shows at an instant. */
export function oneTimeCode(secret: string, at: Date): string {
  return codesOf(secret).generate({ timestamp: at.getTime() });
}

/**
 * The step this code belongs to, among the current one and its neighbours; null for a wrong code. `isFreshStep` decides
 * whether that step may still be used.
 * @param typed the code as typed
 */
export function matchOneTimeCode(secret: string, typed: string, now: Date): number | null {
  const token = parseCode(typed);
  if (token === null) return null;
  const delta = codesOf(secret).validate({ token, timestamp: now.getTime(), window: STEP_TOLERANCE });
  return delta === null ? null : stepOf(now) + delta;
}
