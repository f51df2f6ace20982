/**
 * Everything that can go wrong in a way the caller must be told about.
 * Three tables turn a code into a status (`app/platform/http/status.ts`), a form message and an exit code (`cli/output.ts`).
 */
export const ERROR_CODES = [
  'INVALID_INPUT',
  'UNAUTHENTICATED',
  'RECENT_SIGN_IN_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_SETUP_REQUIRED',
  'INVALID_CREDENTIALS',
  'REGISTRATION_FAILED',
  'SUSPENDED',
  'FORBIDDEN',
  'FOREIGN_ORIGIN',
  'PREMIUM_REQUIRED',
  'PLAN_LIMIT',
  'NOT_FOUND',
  'CONFLICT',
  'BAD_ROWS',
  'DOSE_ALREADY_LOGGED',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'NOT_CONFIGURED',
  'SWITCHED_OFF',
  'PROVIDER_UNAVAILABLE',
  'DATABASE_UNAVAILABLE',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Messages by field name, in the order the fields were checked. */
export type FieldErrors = Record<string, string[]>;

const BRAND = Symbol.for('vialbook.app-error');

export interface AppErrorOptions {
  /** Messages by field name, for `INVALID_INPUT`. */
  fields?: FieldErrors;
  /** Seconds until a retry can work, for `RATE_LIMITED`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/**
 * The only error type that services throw on purpose. `message` is written for the person who reads it.
 * Anything else that is thrown is a defect and is answered as one.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** True for an {@link AppError}, also one that another bundle of this program made (hence no `instanceof`). */
export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && BRAND in error;
}
