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
  NOT_IN_DEMO: 403,
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
  // Somebody switched it off on purpose: no failure of the server.
  SWITCHED_OFF: 403,
  PROVIDER_UNAVAILABLE: 503,
  DATABASE_UNAVAILABLE: 503,
  SEARCH_TIMEOUT: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/**
 * What a `CONFLICT` is about. Programs read this code in place of `CONFLICT`, which only says that something does not fit
 * with what is there now.
 */
export const CONFLICT_CODES = [
  'ACCOUNT_SUSPENDED',
  'ALREADY_CONFIRMED',
  'ALREADY_EXISTS',
  'ALREADY_GRANTED',
  'ALREADY_OFF',
  'ALREADY_ON',
  'ALREADY_RUNNING',
  'ALREADY_SUBSCRIBED',
  'ALREADY_SUSPENDED',
  'CHANGED_MEANWHILE',
  'IMPORT_UNDONE',
  'KEY_IN_USE',
  'KEY_REUSED',
  'LAST_SUPER_ADMIN',
  'LIMIT_REACHED',
  'NO_PREMIUM',
  'NO_SUBSCRIPTION',
  'NOT_AS_NEEDED',
  'NOT_DRAFT',
  'NOT_SUSPENDED',
  'NOTHING_TO_UNDO',
  'PAYMENT_REFUSED',
  'SAME_ROLE',
  'SECRET_NOT_KEPT',
  'TRIAL_USED',
  'UNDO_EXPIRED',
  'VIAL_DISCARDED',
  'WRONG_STATE',
] as const;

export type ConflictCode = (typeof CONFLICT_CODES)[number];

/** Messages by field name, in the order the fields were checked. */
export type FieldErrors = Record<string, string[]>;

/** What is wrong in a row of a file. */
export interface RowError {
  /** The kind of record; empty when that is not known. */
  type: string;
  /** Line of the file, from 1; in JSON the place of the record within its list. */
  line: number;
  /** Name of the field; empty when the whole row is meant. */
  field: string;
  message: string;
}

const BRAND = Symbol.for('vialbook.app-error');

/** Something to confirm before it is written. */
export interface CodedWarning {
  readonly code: string;
  readonly message: string;
}

interface AppErrorOptions {
  /** Messages by field name, for `INVALID_INPUT`. */
  fields?: FieldErrors;
  /** What is wrong in which row, for `BAD_ROWS`. */
  rows?: readonly RowError[];
  /** What a `CONFLICT` is about. */
  conflict?: ConflictCode;
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
  readonly rows: readonly RowError[] | undefined;
  readonly conflict: ConflictCode | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly warnings: readonly CodedWarning[] | undefined;
  readonly [BRAND] = true;

  constructor(code: Exclude<ErrorCode, 'CONFLICT'>, message: string, options?: AppErrorOptions);
  constructor(code: 'CONFLICT', message: string, options: AppErrorOptions & { conflict: ConflictCode });
  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.rows = options.rows;
    this.conflict = options.conflict;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.warnings = options.warnings;
  }
}

/** Something does not fit with what is there now. @param about what exactly, for programs */
export const conflict = (
  about: ConflictCode,
  message: string,
  options: Pick<AppErrorOptions, 'cause' | 'retryAfterSeconds'> = {},
): AppError => new AppError('CONFLICT', message, { ...options, conflict: about });

/** The code that programs are told: of a conflict what it is about. */
export const publicCode = (error: AppError): ErrorCode | ConflictCode => error.conflict ?? error.code;

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
const API_STATUS: Record<ErrorCode, number> = {
  ...STATUS,
  INVALID_CREDENTIALS: 401,
  PREMIUM_REQUIRED: 402,
  PLAN_LIMIT: 402,
};

/** The status with which the JSON API answers a code. */
export const apiStatusOf = (code: ErrorCode | ConflictCode): number =>
  code in API_STATUS ? API_STATUS[code as ErrorCode] : API_STATUS.CONFLICT;
