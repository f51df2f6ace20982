import { AppError } from '#app/domain/errors.ts';

/** How much of a file is read. */
export interface ImportLimits {
  bytes: number;
  /** Of the file in a zip. */
  inflated: number;
  records: number;
}

const MB = 1024 * 1024;

/** What a page or a call takes. */
export const UPLOAD_LIMITS: ImportLimits = { bytes: 32 * MB, inflated: 512 * MB, records: 100_000 };
/** At the terminal nobody else waits; the limit only ends a stream that never does. */
export const TERMINAL_LIMITS: ImportLimits = {
  bytes: 65_536 * MB,
  inflated: 65_536 * MB,
  records: 10_000_000,
};

/** The answer to a file that cannot be read. */
export const invalid = (message: string, cause?: unknown) =>
  new AppError('INVALID_INPUT', message, { fields: { file: [message] }, cause });

/** The answer to a file that is too large in some way. */
export const tooLarge = (message: string) =>
  new AppError('PAYLOAD_TOO_LARGE', message, { fields: { file: [message] } });

const megabytes = ({ bytes }: ImportLimits) => bytes / MB;

/** The answer to a file that is larger than what is taken. */
export const fileTooLarge = (limits: ImportLimits): AppError =>
  tooLarge(`The file is larger than ${megabytes(limits)} MB.`);

/** The answer to a file with more records than are taken at once. */
export const tooManyRecords = ({ records }: ImportLimits): AppError =>
  tooLarge(`A file can have at most ${records.toLocaleString('en')} records.`);
