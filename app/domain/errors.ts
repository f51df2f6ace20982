/**
 * Everything that can go wrong in a way the caller must be told about, with the HTTP status it is answered with. `cli/output.ts`
 * has the exit code of each.
 */
export const STATUS = {
  INVALID_INPUT: 400,
  UNAUTHENTICATED: 401,
  RECENT_SIGN_IN_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 401,
  SECOND_FACTOR_SETUP_REQUIRED: 403,
  INVALID_CREDENTIALS: 400,
  REGISTRATION_FAILED: 400,
  SUSPENDED: 403,
  EMAIL_NOT_CONFIRMED: 403,
  FORBIDDEN: 403,
  FOREIGN_ORIGIN: 403,
  PREMIUM_REQUIRED: 403,
  PLAN_LIMIT: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  BAD_ROWS: 422,
  DOSE_ALREADY_LOGGED: 409,
  CONFIRM_DOSE: 409,
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  NOT_CONFIGURED: 503,
  SWITCHED_OFF: 503,
  PROVIDER_UNAVAILABLE: 503,
  DATABASE_UNAVAILABLE: 503,
  SEARCH_TIMEOUT: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** Messages by field name, in the order the fields were checked. */
export type FieldErrors = Record<string, string[]>;

const BRAND = Symbol.for('vialbook.app-error');

/** Something to confirm before it is written. */
export interface CodedWarning {
  readonly code: string;
  readonly message: string;
}

interface AppErrorOptions {
  /** Messages by field name, for `INVALID_INPUT`. */
  fields?: FieldErrors;
  /** Seconds until a retry can work, for `RATE_LIMITED`. */
  retryAfterSeconds?: number;
  /** What to confirm first, for `CONFIRM_DOSE`. */
  warnings?: readonly CodedWarning[];
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
  readonly warnings: readonly CodedWarning[] | undefined;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.warnings = options.warnings;
  }
}

/**
 * True for a failure of the system and not of the request: the same may well succeed later, so work that was cut off by
 * it is to be taken up again instead of being undone.
 */
export const isTransient = (error: unknown): boolean =>
  isAppError(error) && (error.code === 'DATABASE_UNAVAILABLE' || error.code === 'SEARCH_TIMEOUT');

/** True for an {@link AppError}, also one that another bundle of this program made (hence no `instanceof`). */
export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** The statuses of the JSON API: the pages' but where a script needs to know more. */
export const API_STATUS: Record<ErrorCode, number> = {
  ...STATUS,
  INVALID_CREDENTIALS: 401,
  PREMIUM_REQUIRED: 402,
  PLAN_LIMIT: 402,
};
