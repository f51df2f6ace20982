import { AppError, fieldError } from '#app/domain/errors.ts';

/** How much of a file is read. */
export interface ImportLimits {
  bytes: number;
  /** Of the file in a zip. */
  inflated: number;
  records: number;
}

const MB = 1024 * 1024;

/** The limits of uploads on the page and through the API. */
export const UPLOAD_LIMITS: ImportLimits = { bytes: 32 * MB, inflated: 512 * MB, records: 100_000 };
/** At the terminal nobody else waits; these limits only stop an endless stream. */
export const TERMINAL_LIMITS: ImportLimits = {
  bytes: 65_536 * MB,
  inflated: 65_536 * MB,
  records: 10_000_000,
};

/** The error for a file that cannot be read. */
export const invalid = (message: string, cause?: unknown) => fieldError('file', message, { cause });

/** The error for a file that is too large in some way. */
export const tooLarge = (message: string) =>
  new AppError('PAYLOAD_TOO_LARGE', message, { fields: { file: [message] } });

/** The error for a file with too many bytes. */
export const fileTooLarge = (limits: ImportLimits): AppError =>
  tooLarge(`The file is larger than ${limits.bytes / MB} MB.`);

/** The error for a file with too many records. */
export const tooManyRecords = ({ records }: ImportLimits): AppError =>
  tooLarge(`A file can have at most ${records.toLocaleString('en')} records.`);
