import { createCookie, type AppLoadContext } from '@remix-run/node';
import { MAX_EMAIL_LENGTH } from '#app/domain/accounts/account.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { type Caller, type Ctx, type SignedInUser, contextAs } from '#app/platform/access/context.server.ts';
import { currentLog } from '#app/platform/log/log.server.ts';

/**
 * The user of a token; null if it is unknown or has ended.
 * @throws AppError SUSPENDED if the account is suspended
 */
type FindSignedIn = (ctx: Ctx, token: string | null | undefined) => Promise<{ actor: SignedInUser } | null>;

/** The resources of this process. Created in `server/bootstrap.server.ts`. */
interface CurrentApp {
  settings: Settings;
  /** Signs cookies that are not sessions. */
  sessionSecret: string;
  contextFor(caller: Caller): Ctx;
  /** Used where nothing can be paid. */
  withoutPayments: Ctx['payments'];
  /** Finds the user of a session token. */
  findBySession: FindSignedIn;
  /** Finds the user of a personal API token. */
  findByApiToken: FindSignedIn;
  /** Finds the user of a connection's access token, which is good for `/mcp` alone. */
  findByConnection: FindSignedIn;
  /** @throws AppError DATABASE_UNAVAILABLE */
  ping(): Promise<number>;
}

/** What this server offers; nothing until startup has ended. */
export function siteOffers() {
  const settings = holder.vialbookApp?.settings;
  return settings === undefined
    ? null
    : {
        isSelling: settings.BILLING !== 'off',
        hasSignUp: settings.SIGN_UP === 'open',
        origin: settings.APP_URL,
        hasPasswords: settings.PASSWORD_SIGN_IN === 'on',
        providers: settings.identityProviders.map(({ id, name }) => ({ id, name })),
      };
}

// On `globalThis`, because a reload during development evaluates this module again.
const holder = globalThis as typeof globalThis & { vialbookApp?: CurrentApp };

export function setCurrentApp(app: CurrentApp | undefined): void {
  holder.vialbookApp = app;
}

/** @throws AppError DATABASE_UNAVAILABLE until startup has ended */
export function currentApp(): CurrentApp {
  if (!holder.vialbookApp)
    throw new AppError('DATABASE_UNAVAILABLE', 'Vialbook is starting. Please try again in a moment.');
  return holder.vialbookApp;
}

/** False for test payments from another machine: only the operator of this server may get Premium without paying. */
export function isBillingHere(ctx: Ctx): boolean {
  const { settings, withoutPayments } = currentApp();
  return settings.BILLING !== 'test' || ctx.payments !== withoutPayments;
}

/** Name of a cookie. The `__Host-` prefix requires https, which plain localhost may not have (ASVS 3.3.1). */
const prefixed = (name: string, https: boolean): string => (https ? `__Host-${name}` : name);

export const sessionCookieName = (https: boolean): string => prefixed(SESSION, https);

/** Seconds for which a browser keeps a known device and a remembered sign-in. */
const THIRTY_DAYS = 30 * 86_400;
const ONE_YEAR = 365 * 86_400;

function isHttps(): boolean {
  return currentApp().settings.APP_URL.startsWith('https:');
}

/** A cookie of this site, by its name without prefix. @param maxAge seconds; by default until the browser closes */
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
const EMAIL = 'vialbook_email';

/** The `Set-Cookie` value of a session: kept for thirty days if remembered, otherwise until the browser closes. */
export function sessionCookie(token: string, session: { remember: boolean }): Promise<string> {
  return cookie(SESSION, session.remember ? { maxAge: THIRTY_DAYS } : {}).serialize(token);
}

/** `Clear-Site-Data` value for signing out or a change of user: everything but cookies. */
export const DEVICE_DATA = '"cache", "storage"';

/** The `Set-Cookie` value that removes the session from the browser. */
export function endedSessionCookie(): Promise<string> {
  return cookie(SESSION).serialize('', { maxAge: 0 });
}

/** The session token from the browser, or null. */
export async function readSessionToken(request: Request): Promise<string | null> {
  const value: unknown = await cookie(SESSION).parse(request.headers.get('Cookie'));
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Marks a browser that has signed in before; gives no access (see `known-client.server.ts`). */
export function deviceCookie(token: string): Promise<string> {
  return cookie(DEVICE, { maxAge: ONE_YEAR }).serialize(token);
}

export async function readDeviceCookie(request: Request): Promise<string | null> {
  const value: unknown = await cookie(DEVICE).parse(request.headers.get('Cookie'));
  return typeof value === 'string' ? value : null;
}

/** The address that "Remember me" keeps in this browser for the next sign-in, beyond the session; null removes it. */
export function rememberedEmailCookie(email: string | null): Promise<string> {
  return cookie(EMAIL, { maxAge: ONE_YEAR }).serialize(email ?? '', email === null ? { maxAge: 0 } : {});
}

/** The remembered address, or null. */
export async function readRememberedEmail(request: Request): Promise<string | null> {
  const value: unknown = await cookie(EMAIL).parse(request.headers.get('Cookie'));
  return typeof value === 'string' && value !== '' && value.length <= MAX_EMAIL_LENGTH ? value : null;
}

/** Seconds within which the second step of a sign-in must follow. */
const TEN_MINUTES = 600;

/** Records, between the two steps of a sign-in, that the password was correct; gives no access by itself. */
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

/** A visitor's context, regardless of the cookie. Test payments work only from this machine. */
export function visitorContext(request: Request, context: AppLoadContext): Ctx {
  const { settings, contextFor, withoutPayments } = currentApp();
  const ctx = contextFor({
    actor: { kind: 'visitor' },
    client: { address: context.clientAddress, userAgent: request.headers.get('User-Agent') },
    log: currentLog().child({ requestId: context.requestId }),
  });
  const isElsewhere = settings.BILLING === 'test' && !context.isThisMachine;
  return isElsewhere ? { ...ctx, payments: withoutPayments } : ctx;
}

const ofRequest = new WeakMap<AppLoadContext, Promise<Ctx>>();

/**
 * The context of the request's sender. The loaders of a page run concurrently and query the database once; an action queries
 * it separately, and the loaders after it again.
 * @throws AppError SUSPENDED if the session's account is suspended
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
