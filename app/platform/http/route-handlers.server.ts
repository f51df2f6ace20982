import { data, redirect } from '@remix-run/node';
import { isAppError, type AppError, retryHeaders, STATUS } from '#app/domain/errors.ts';
import { authorisePremiumUser, authoriseUser, isInDemo } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { isForm } from './forms.server.ts';
import { addMissingHeaders, guardRequest, type RouteArgs } from './guard.server.ts';
import { responseAtClientsPace } from './file-response.server.ts';
import { keepForm } from './kept-form.server.ts';
import { endedSessionCookie, requestContext, visitorContext } from './session.server.ts';

/** Arguments of a page's loader or action. */
export interface PageArgs {
  request: Request;
  params: RouteArgs['params'];
  url: URL;
  ctx: Ctx;
}

/** The same on pages for signed-in users. */
export interface UserPageArgs extends PageArgs {
  user: SignedInUser;
}

/** The response a page throws: a message for people, a code for tests and scripts, and the status. */
export function errorResponse(error: AppError) {
  const answer = { error: error.code, message: error.message };
  return data(answer, { status: STATUS[error.code], headers: retryHeaders(error) });
}

/**
 * A response without the page's headers: not cached unless it says otherwise, and produced no faster than its client reads
 * it.
 */
function fileAnswer(response: Response, args: RouteArgs): Response {
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store');
  return responseAtClientsPace(response, args);
}

/** An error as plain text, where there is no page to show it. */
function textResponse(error: AppError): Response {
  const { init } = errorResponse(error);
  const headers = new Headers(init?.headers);
  headers.set('Cache-Control', 'no-store');
  headers.set('Content-Type', 'text/plain; charset=utf-8');
  return new Response(`${error.message}\n`, { status: STATUS[error.code], headers });
}

const SUSPENSION = '/login?notice=suspended';

/**
 * Rejects a file request by a script without ending the session. Otherwise nobody would see the reason, and the next click
 * would lead to a sign-in page that can't explain it.
 */
function refuseFile(error: AppError): Response {
  return error.code === 'SUSPENDED' ? redirect(SUSPENSION) : textResponse(error);
}

/** Where administrators without a second factor are sent. */
export const SECOND_FACTOR_PATH = '/dashboard/profile/second-factor';

/** Where non-administrators are sent from the admin area. */
export const ADMIN_LOGIN_PATH = '/admin/login';

/** Adds the headers that a response lacks, whether it is returned or thrown. */
async function withHeaders<T>({ context }: RouteArgs, answer: () => Promise<T>): Promise<T> {
  try {
    const result = await answer();
    if (result instanceof Response) addMissingHeaders(result.headers, context);
    return result;
  } catch (error) {
    if (error instanceof Response) addMissingHeaders(error.headers, context);
    throw error;
  }
}

function answering<A extends PageArgs, T>(
  args: RouteArgs,
  open: () => Promise<A>,
  handle: (args: A) => T | Promise<T>,
  refuse: (error: AppError) => unknown = errorResponse,
): Promise<T> {
  return withHeaders(args, async () => {
    try {
      guardRequest(args);
      return await handle(await open());
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.code === 'SUSPENDED' && refuse !== refuseFile)
        // Signs a suspended account out at its next request; the sign-in page explains why.
        throw redirect(SUSPENSION, { headers: { 'Set-Cookie': await endedSessionCookie() } });
      if (error.code === 'RECENT_SIGN_IN_REQUIRED') {
        const { pathname, search } = new URL(args.request.url);
        throw redirect(`/dashboard/profile/confirm?redirectTo=${encodeURIComponent(pathname + search)}`);
      }
      if (error.code === 'SECOND_FACTOR_SETUP_REQUIRED') throw redirect(SECOND_FACTOR_PATH);
      throw refuse(error);
    }
  });
}

/**
 * For addresses without a page, whoever is signed in.
 * @param refuse the response to an error, which is plain text by default
 */
export function withoutPage(
  handle: (args: RouteArgs) => Response | Promise<Response>,
  refuse: (error: AppError, args: RouteArgs) => Response | Promise<Response> = textResponse,
) {
  return (args: RouteArgs): Promise<Response> =>
    withHeaders(args, async () => {
      try {
        guardRequest(args);
        return await handle(args);
      } catch (error) {
        if (!isAppError(error)) throw error;
        return refuse(error, args);
      }
    });
}

async function openPage({ request, params, context }: RouteArgs): Promise<PageArgs> {
  return { request, params, url: new URL(request.url), ctx: await requestContext(request, context) };
}

/**
 * Redirects to a sign-in page and back. A form submitted after its session had ended is meanwhile stored in the browser.
 * @param isPage false for requests by scripts, which contain nothing the user typed
 */
async function toSignIn({ request, url }: PageArgs, path: string, isPage: boolean): Promise<Response> {
  const target = `${url.pathname}${url.search}`;
  const headers = new Headers();
  if (isPage && request.method === 'POST' && isForm(request))
    headers.append('Set-Cookie', await keepForm(request, target));
  return redirect(`${path}?redirectTo=${encodeURIComponent(target)}`, { headers });
}

async function openUserPage(args: RouteArgs, isPage = true): Promise<UserPageArgs> {
  const page = await openPage(args);
  const { actor } = page.ctx;
  if (actor.kind === 'user') return { ...page, user: actor };
  throw await toSignIn(page, '/login', isPage);
}

/** Sends everyone who is not an administrator to the admin sign-in, which says why. */
async function openAdminPage(args: RouteArgs, isPage = true): Promise<UserPageArgs> {
  const page = await openPage(args);
  try {
    return { ...page, user: authoriseUser(page.ctx.actor, 'admin.open') };
  } catch (error) {
    if (!isAppError(error) || (error.code !== 'UNAUTHENTICATED' && error.code !== 'FORBIDDEN')) throw error;
    throw await toSignIn(page, ADMIN_LOGIN_PATH, isPage);
  }
}

async function openVisitorPage(args: RouteArgs): Promise<PageArgs> {
  const page = await openPage(args);
  // Demo users still count as visitors, so that they can register or sign in.
  if (page.ctx.actor.kind !== 'visitor' && !isInDemo(page.ctx.actor)) throw redirect('/dashboard');
  return page;
}

/** For loaders and actions of pages that everyone may open. Thrown `AppError`s become responses. */
export function forEveryone<T>(handle: (args: PageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => answering(args, () => openPage(args), handle);
}

/** For pages of signed-in users; others are sent to `/login` and come back afterwards. */
export function forUsers<T>(handle: (args: UserPageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => answering(args, () => openUserPage(args), handle);
}

/**
 * For pages of a premium area: free users are rejected before anything is read. The operations check again.
 */
export function forPremiumUsers<T>(handle: (args: UserPageArgs) => T | Promise<T>) {
  return forUsers((args) => {
    authorisePremiumUser(args.ctx.actor, 'premium-area.open');
    return handle(args);
  });
}

/**
 * For every loader and action of the admin area: others are sent to `/admin/login`, and administrators without a second
 * factor to its setup. The operations check again.
 */
export function forAdmins<T>(handle: (args: UserPageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => answering(args, () => openAdminPage(args), handle);
}

/** For addresses of the admin area that return a file; see {@link forUsersFile}. */
export function forAdminsFile(handle: (args: UserPageArgs) => Promise<Response>) {
  return (args: RouteArgs): Promise<Response> =>
    answering(
      args,
      () => openAdminPage(args, false),
      async (page) => fileAnswer(await handle(page), args),
      textResponse,
    );
}

/**
 * For addresses of signed-in users that return a file: errors are plain text, and browsers and proxies cache nothing unless
 * the response allows it (ASVS 14.3.2).
 */
export function forUsersFile(handle: (args: UserPageArgs) => Promise<Response>) {
  return (args: RouteArgs): Promise<Response> =>
    answering(
      args,
      () => openUserPage(args, false),
      async (page) => fileAnswer(await handle(page), args),
      refuseFile,
    );
}

/** For addresses requested by scripts of public pages; see {@link forUsersFile}. */
export function forEveryoneFile(handle: (args: PageArgs) => Promise<Response>) {
  return (args: RouteArgs): Promise<Response> =>
    answering(
      args,
      () => openPage(args),
      async (page) => fileAnswer(await handle(page), args),
      refuseFile,
    );
}

/** For visitors' pages (landing, sign-in); signed-in users are sent to `/dashboard`. */
export function forVisitors<T>(handle: (args: PageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => answering(args, () => openVisitorPage(args), handle);
}

/** For files protected only by the secret in their address, whoever is signed in. */
export function withoutSessionFile(handle: (args: PageArgs) => Promise<Response>) {
  return (args: RouteArgs): Promise<Response> => {
    const { request, params, context } = args;
    const open = () => ({
      request,
      params,
      url: new URL(request.url),
      ctx: visitorContext(request, context),
    });
    return answering(args, () => Promise.resolve(open()), handle, textResponse);
  };
}

/** The result of `work`, or of `instead` if it throws NOT_FOUND. */
export async function orWhenNotFound<T, N>(work: () => Promise<T>, instead: () => N): Promise<T | N> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return instead();
    throw error;
  }
}
