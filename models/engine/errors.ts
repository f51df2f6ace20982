/**
 * The error codes that the engine returns, under MongoDB's names. A number that is not in this table is named
 * `Location<number>`, as on the server.
 */
export const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  UnsupportedFormat: 12,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  LockTimeout: 24,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  WriteConflict: 112,
  CommandFailed: 125,
  CommandNotSupported: 115,
  ConflictingOperationInProgress: 117,
  ClientDisconnect: 279,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  ShutdownInProgress: 91,
  OperationFailed: 96,
  CursorInUse: 143,
  CursorKilled: 237,
  InvalidPipelineOperator: 168,
  ExceededMemoryLimit: 146,
  InvalidIndexSpecificationOption: 197,
  ConversionFailure: 241,
  IncompleteTransactionHistory: 217,
  TransactionTooOld: 225,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  OperationNotSupportedInTransaction: 263,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  InvalidRegex: 51091,
  OutOfDiskSpace: 14031,
  Interrupted: 11601,
  InterruptedAtShutdown: 11600,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
} as const;

/** A name in the table of codes. */
export type CodeName = keyof typeof CODES;

const NAMES = new Map<number, string>(Object.entries(CODES).map(([name, code]) => [code, name]));
NAMES.delete(CODES.InvalidRegex);

/** The name MongoDB gives a code, `Location<code>` for those without one. */
export function codeNameOf(code: number): string {
  return NAMES.get(code) ?? `Location${code}`;
}

/** Additional data of an error. */
export interface EngineErrorOptions {
  /** Further fields of the reply, such as `keyPattern` and `keyValue` of a duplicate key. */
  extra?: Record<string, unknown>;
  /** Error labels, such as `TransientTransactionError`. */
  labels?: string[];
  cause?: unknown;
}

/** The only error that the engine throws on purpose: what the client receives, in MongoDB's format. */
export class EngineError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly extra: Record<string, unknown>;
  readonly labels: string[];

  constructor(code: CodeName | number, message: string, options: EngineErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EngineError';
    this.code = typeof code === 'number' ? code : CODES[code];
    this.codeName = codeNameOf(this.code);
    this.extra = options.extra ?? {};
    this.labels = options.labels ?? [];
  }
}

/** The error for a name that the engine does not know, whether or not a server would. */
export function unknownHere(code: CodeName | number, message: string): EngineError {
  return new EngineError(code, `${message}: the embedded database does not have it`);
}

/** The error for a MongoDB feature that the engine does not support. */
export function unsupported(what: string): EngineError {
  return new EngineError('CommandNotSupported', `${what} is not supported by the embedded engine`);
}
