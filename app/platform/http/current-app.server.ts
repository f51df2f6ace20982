import { AppError } from '#app/domain/errors.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import type { Caller, Ctx } from '#app/platform/access/context.server.ts';

/** What this process serves with, from start to end. Made in `compose.server.ts`. */
export interface CurrentApp {
  settings: Settings;
  /** Signs cookies that are not sessions. */
  sessionSecret: string;
  contextFor(caller: Caller): Ctx;
  /** Stands where nothing can be paid. */
  withoutPayments: Ctx['payments'];
  /** @throws AppError DATABASE_UNAVAILABLE */
  ping(): Promise<number>;
}

// On `globalThis`, because a reload during development evaluates this module again.
const holder = globalThis as typeof globalThis & { vialbookApp?: CurrentApp };

export function setCurrentApp(app: CurrentApp | undefined): void {
  holder.vialbookApp = app;
}

/** @throws AppError DATABASE_UNAVAILABLE before the start has ended */
export function currentApp(): CurrentApp {
  if (!holder.vialbookApp)
    throw new AppError('DATABASE_UNAVAILABLE', 'Vialbook is starting. Please try again in a moment.');
  return holder.vialbookApp;
}
