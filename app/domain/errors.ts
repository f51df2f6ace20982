import type { Slip } from '#app/domain/units/meant-mcg.ts';

/**
 * Every error code that a caller may see, with its HTTP status. `cli/output.ts` maps each one to an exit code.
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
  UNREADABLE_FILE: 422,
  DOSE_ALREADY_LOGGED: 409,
  CONFIRM_DOSE: 409,
  METHOD_NOT_ALLOWED: 405,
  LENGTH_REQUIRED: 411,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PAYLOAD_TOO_LARGE: 413,
  PRECONDITION_FAILED: 412,
  RATE_LIMITED: 429,
  // A bug, with words about what did not work.
  FAILED: 500,
  NOT_CONFIGURED: 503,
  // Switched off on purpose, so not a server failure.
  SWITCHED_OFF: 403,
  PROVIDER_UNAVAILABLE: 503,
  DATABASE_UNAVAILABLE: 503,
  SEARCH_TIMEOUT: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/**
 * The reason for a `CONFLICT`. Programs get this code instead of `CONFLICT`, which alone says too little.
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
  /** Line number, from 1; in JSON the position of the record in its list. */
  line: number;
  /** Field name; empty when the error is about the whole row. */
  field: string;
  message: string;
}

const BRAND = Symbol.for('vialbook.app-error');

/** A warning that the caller must confirm before anything is saved. */
export interface CodedWarning {
  readonly code: string;
  readonly message: string;
  /** For a question about several doses, the dose that it is about. */
  readonly id?: string;
  /** For an unusual amount, what pages offer instead. Callers without a form get code and message. */
  readonly slip?: Slip;
}

interface AppErrorOptions {
  /** Messages by field name, for `INVALID_INPUT`. */
  fields?: FieldErrors;
  /** Errors by row, for `BAD_ROWS`. */
  rows?: readonly RowError[];
  /** The reason for a `CONFLICT`. */
  conflict?: ConflictCode;
  /** Seconds until a retry can work, for `RATE_LIMITED`. */
  retryAfterSeconds?: number;
  /** What to confirm first, for `CONFIRM_DOSE`. */
  warnings?: readonly CodedWarning[];
  /** The record as it is, for `PRECONDITION_FAILED`. */
  current?: { tag: string; data: unknown };
  cause?: unknown;
}

/**
 * The only error type that services throw on purpose. `message` is written for the person who reads it.
 * Anything else that is thrown is a bug.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly rows: readonly RowError[] | undefined;
  readonly conflict: ConflictCode | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly warnings: readonly CodedWarning[] | undefined;
  readonly current: { tag: string; data: unknown } | undefined;
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
    this.current = options.current;
  }
}

/** Makes a `CONFLICT` error. @param about the reason, as a code for programs */
export const conflict = (
  about: ConflictCode,
  message: string,
  options: Pick<AppErrorOptions, 'cause' | 'retryAfterSeconds'> = {},
): AppError => new AppError('CONFLICT', message, { ...options, conflict: about });

/** Makes an `INVALID_INPUT` error about one field. @param more further messages for it */
export const fieldError = (
  field: string,
  message: string,
  { more = [], cause }: { more?: readonly string[]; cause?: unknown } = {},
): AppError => new AppError('INVALID_INPUT', message, { fields: { [field]: [message, ...more] }, cause });

/** The code that programs get: the reason for a conflict, otherwise the error's own code. */
export const publicCode = (error: AppError): ErrorCode | ConflictCode => error.conflict ?? error.code;

/**
 * True when the system failed, not the request. A retry may succeed, so resume interrupted work instead of undoing it.
 */
export const isTransient = (error: unknown): boolean =>
  isAppError(error) && (error.code === 'DATABASE_UNAVAILABLE' || error.code === 'SEARCH_TIMEOUT');

/** True for an {@link AppError}, even one from another bundle of this program (hence no `instanceof`). */
export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** The header that says when a retry can work; empty for errors that no waiting helps. */
export const retryHeaders = ({ retryAfterSeconds }: AppError): Record<string, string> =>
  retryAfterSeconds === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfterSeconds)) };

/** The JSON API's statuses: those of the pages, except where scripts need to tell cases apart. */
const API_STATUS: Record<ErrorCode, number> = {
  ...STATUS,
  INVALID_CREDENTIALS: 401,
  PREMIUM_REQUIRED: 402,
  PLAN_LIMIT: 402,
};

/** The HTTP status of a code in the JSON API. */
export const apiStatusOf = (code: ErrorCode | ConflictCode): number =>
  code in API_STATUS ? API_STATUS[code as ErrorCode] : API_STATUS.CONFLICT;
