/** Writes one structured log entry: facts first, then a short sentence. */
export type LogWrite = (facts: object, message: string) => void;

/** The part of a logger that services, models and integrations use (a pino logger is one). */
export interface Log {
  debug: LogWrite;
  info: LogWrite;
  warn: LogWrite;
  error: LogWrite;
}

/** A log that discards everything. */
export const SILENT_LOG: Log = { debug() {}, info() {}, warn() {}, error() {} };
