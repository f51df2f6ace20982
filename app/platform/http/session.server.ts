import { createCookie, type AppLoadContext } from '@remix-run/node';
import { AppError } from '#app/domain/errors.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { type Caller, type Ctx, type SignedInUser, contextAs } from '#app/platform/access/context.server.ts';
import { currentLog } from '#app/platform/log/log.server.ts';

/**
 * Who a token stands for; null when it is unknown or has ended.
 * @throws AppError SUSPENDED when the account behind it is suspended
 */
type FindSignedIn = (ctx: Ctx, token: string | null | undefined) => Promise<{ actor: SignedInUser } | null>;

/** What this process serves with, from start to end. Made in `server/bootstrap.server.ts`. */
interface CurrentApp {
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

/** False for test payments asked for from elsewhere: nobody but who runs this server may get premium for nothing. */
export function isBillingHere(ctx: Ctx): boolean {
  const { settings, withoutPayments } = currentApp();
  return settings.BILLING !== 'test' || ctx.payments !== withoutPayments;
}

/** Name of a cookie. The `__Host-` prefix needs https, which plain localhost does not have everywhere (ASVS 3.3.1). */
const prefixed = (name: string, https: boolean): string => (https ? `__Host-${name}` : name);

/** Name of the session cookie. */
export const sessionCookieName = (https: boolean): string => prefixed(SESSION, https);

/** Seconds that a known device, and a remembered sign-in, are kept by the browser. */
const THIRTY_DAYS = 30 * 86_400;
const ONE_YEAR = 365 * 86_400;

function isHttps(): boolean {
  return currentApp().settings.APP_URL.startsWith('https:');
}

/** A cookie of this site, by its bare name. @param maxAge seconds; until the browser closes unless given */
export function cookie(name: string, { maxAge, secrets }: { maxAge?: number; secrets?: string[] } = {}) {
  return createCookie(prefixed(name, isHttps()), {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isHttps(),
    ...(maxAge && { maxAge }),
    ...(secrets && { secrets }),
  });
}

const SESSION = 'vialbook_session';
const DEVICE = 'vialbook_device';
const STEP = 'vialbook_step';

/** The `Set-Cookie` value that keeps a session in the browser: thirty days if remembered, else until it closes. */
export function sessionCookie(token: string, session: { remember: boolean }): Promise<string> {
  return cookie(SESSION, session.remember ? { maxAge: THIRTY_DAYS } : {}).serialize(token);
}

/** What a browser drops, by its `Clear-Site-Data` header, when its person leaves or another one comes: all but cookies. */
export const DEVICE_DATA = '"cache", "storage"';

/** The `Set-Cookie` value that takes the session out of the browser. */
export function endedSessionCookie(): Promise<string> {
  return cookie(SESSION).serialize('', { maxAge: 0 });
}

/** The secret the browser sent, null when it sent none. */
export async function readSessionToken(request: Request): Promise<string | null> {
  const value: unknown = await cookie(SESSION).parse(request.headers.get('Cookie'));
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A browser that signed in before says so with this cookie; it opens nothing (see `known-client.server.ts`). */
export function deviceCookie(token: string): Promise<string> {
  return cookie(DEVICE, { maxAge: ONE_YEAR }).serialize(token);
}

export async function readDeviceCookie(request: Request): Promise<string | null> {
  const value: unknown = await cookie(DEVICE).parse(request.headers.get('Cookie'));
  return typeof value === 'string' ? value : null;
}

/** Seconds that the second step of a sign-in may take. */
const TEN_MINUTES = 600;

/** Keeps, between the two steps of a sign-in, that the password was right; it opens nothing by itself. */
export function challengeCookie(challenge: string | null): Promise<string> {
  return cookie(STEP, { maxAge: TEN_MINUTES }).serialize(
    challenge ?? '',
    challenge === null ? { maxAge: 0 } : {},
  );
}

export async function readChallengeCookie(request: Request): Promise<string> {
  const value: unknown = await cookie(STEP).parse(request.headers.get('Cookie'));
  return typeof value === 'string' ? value : '';
}

function callerOf(request: Request, context: AppLoadContext): Caller {
  return {
    actor: { kind: 'visitor' },
    client: { address: context.clientAddress, userAgent: request.headers.get('User-Agent') },
    log: currentLog().child({ requestId: context.requestId }),
  };
}

/** The context of a visitor, whoever the cookie says it is. Test payments are there for this machine alone. */
export function visitorContext(request: Request, context: AppLoadContext): Ctx {
  const { settings, contextFor, withoutPayments } = currentApp();
  const ctx = contextFor(callerOf(request, context));
  const isElsewhere = settings.BILLING === 'test' && !context.isThisMachine;
  return isElsewhere ? { ...ctx, payments: withoutPayments } : ctx;
}

const ofRequest = new WeakMap<AppLoadContext, Promise<Ctx>>();

/**
 * The context of whoever sent this request. The loaders of a page run at once and ask the database once; an action asks
 * for itself, and the loaders after it again.
 * @throws AppError SUSPENDED when the account behind the session is suspended
 */
export function requestContext(request: Request, context: AppLoadContext): Promise<Ctx> {
  if (request.method !== 'GET') return findContext(request, context);
  const known = ofRequest.get(context) ?? findContext(request, context);
  ofRequest.set(context, known);
  return known;
}

async function findContext(request: Request, context: AppLoadContext): Promise<Ctx> {
  const ctx = visitorContext(request, context);
  const resolved = await currentApp().findBySession(ctx, await readSessionToken(request));
  return resolved ? contextAs(ctx, resolved.actor) : ctx;
}
