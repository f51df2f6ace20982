import type { Logger } from 'pino';
import type { AnsweredRequest } from '#app/platform/metrics/process-metrics.server.ts';
import type { EmbeddedEngine } from '#models/index.server.ts';
import type { Settings } from '#app/domain/settings/settings.ts';

/** What `entry.server.tsx` exports beside its handlers: the application's start and end, called by the server entry. */
export interface Lifecycle {
  /**
   * Opens the database and makes the application ready. Rejects with a message that says what to do.
   * @param engine the embedded engine, where it has been started already
   */
  boot(settings: Settings, log: Logger, engine?: Promise<EmbeddedEngine>): Promise<void>;
  /** Told of each answer, for the figures. */
  answered(request: AnsweredRequest): void;
  /** Finishes what runs and closes the database. */
  shutdown(): Promise<void>;
}
