/** How serious a line is. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One line of the engine's log, as it is handed to the host process. */
export interface LogEntry {
  level: LogLevel;
  message: string;
  fields?: Record<string, unknown>;
}

/** Takes log lines inside the engine. Never gets documents or other user data, only names, sizes and reasons. */
export type LogSink = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;
