/** The severity of a line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One line of the engine's log, as passed to the host process. */
export interface LogEntry {
  level: LogLevel;
  message: string;
  fields?: Record<string, unknown>;
}

/** Receives log lines inside the engine. Never receives documents or other user data, only names, sizes and reasons. */
export type LogSink = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;
