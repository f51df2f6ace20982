import { AppError } from '#app/domain/errors.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import type { Caller, Ctx, SignedInUser } from '#app/platform/access/context.server.ts';

/**
 * Who a token stands for; null when it is unknown or has ended.
 * @throws AppError SUSPENDED when the account behind it is suspended
 */
export type FindSignedIn = (
  ctx: Ctx,
  token: string | null | undefined,
) => Promise<{ actor: SignedInUser } | null>;

/** What this process serves with, from start to end. Made in `server/bootstrap.server.ts`. */
export interface CurrentApp {
  settings: Settings;
  /** Signs cookies that are not sessions. */
  sessionSecret: string;
  contextFor(caller: Caller): Ctx;
  /** Stands where nothing can be paid. */
  withoutPayments: Ctx['payments'];
  /** Who a session's token stands for. */
  findBySession: FindSignedIn;
  /** Who a personal API token stands for. */
  findByApiToken: FindSignedIn;
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
