import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node';
import { isAppError, type AppError, STATUS } from '#app/domain/errors.ts';
import { authorisePremiumUser, authoriseUser, isInDemo } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { isForm, keepForm } from './forms.server.ts';
import { responseAtClientsPace } from './file-response.server.ts';
import { endedSessionCookie, requestContext, visitorContext } from './session.server.ts';

type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;

/** What a page's loader or action gets. */
export interface PageArgs {
  request: Request;
  params: RouteArgs['params'];
  url: URL;
  ctx: Ctx;
}

/** The same, on pages for signed-in users. */
export interface UserPageArgs extends PageArgs {
  user: SignedInUser;
}

/** A page's thrown answer: the message for the person, the code for tests and scripts, the right status. */
export function errorResponse(error: AppError) {
  const headers = new Headers();
  if (error.retryAfterSeconds !== undefined)
    headers.set('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
  return data({ error: error.code, message: error.message }, { status: STATUS[error.code], headers });
}

/**
 * An answer that does not pass through the page's own headers: kept nowhere, unless it says otherwise, and made no
 * faster than its client takes it.
 */
function fileAnswer(response: Response, args: RouteArgs): Response {
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store');
  return responseAtClientsPace(response, args);
}

/** The same where there is no page to show it in. */
function textResponse(error: AppError): Response {
  const { init } = errorResponse(error);
  const headers = new Headers(init?.headers);
  headers.set('Cache-Control', 'no-store');
  headers.set('Content-Type', 'text/plain; charset=utf-8');
  return new Response(`${error.message}\n`, { status: STATUS[error.code], headers });
}

const SUSPENSION = '/login?notice=suspended';

/** A suspended account is signed out at its next click and reads why on the sign-in page. */
async function showSuspension(): Promise<Response> {
  return redirect(SUSPENSION, { headers: { 'Set-Cookie': await endedSessionCookie() } });
}

/**
 * A file that scripts fetch behind the page is refused without ending the session: nobody would read why, and the next
 * click would lead to a sign-in page that does not know it.
 */
function refuseFile(error: AppError): Response {
  return error.code === 'SUSPENDED' ? redirect(SUSPENSION) : textResponse(error);
}

/** Where an administrator without the second factor they need is sent. */
export const SECOND_FACTOR_PATH = '/dashboard/profile/second-factor';

/** Where whoever is no administrator is sent from the admin area. */
export const ADMIN_LOGIN_PATH = '/admin/login';

/** Something delicate was asked for in a session that is open for a while: the password first, then the page again. */
function askPassword({ pathname, search }: URL): Response {
  return redirect(`/dashboard/profile/confirm?redirectTo=${encodeURIComponent(pathname + search)}`);
}

async function answering<A extends PageArgs, T>(
  { request }: RouteArgs,
  open: () => Promise<A>,
  handle: (args: A) => T | Promise<T>,
  refuse: (error: AppError) => unknown = errorResponse,
): Promise<T> {
  try {
    return await handle(await open());
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === 'SUSPENDED' && refuse !== refuseFile) throw await showSuspension();
    if (error.code === 'RECENT_SIGN_IN_REQUIRED') throw askPassword(new URL(request.url));
    if (error.code === 'SECOND_FACTOR_SETUP_REQUIRED') throw redirect(SECOND_FACTOR_PATH);
    throw refuse(error);
  }
}

async function openPage({ request, params, context }: RouteArgs): Promise<PageArgs> {
  return { request, params, url: new URL(request.url), ctx: await requestContext(request, context) };
}

/**
 * To a sign-in page and back. A form that was sent after its session had ended is kept in the browser on the way.
 * @param isPage false for what scripts send behind a page: nobody typed that
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

/** Visitors and everybody who is no administrator go to the admin sign-in, which says why. */
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
  // Whoever looks around in a demo is still a visitor: the way to an account of their own stays open.
  if (page.ctx.actor.kind !== 'visitor' && !isInDemo(page.ctx.actor)) throw redirect('/dashboard');
  return page;
}

/** For loaders and actions of pages that everyone may open. Thrown `AppError`s become answers. */
export function forEveryone<T>(handle: (args: PageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => answering(args, () => openPage(args), handle);
}

/** For pages of signed-in users; others go to `/login` and come back afterwards. */
export function forUsers<T>(handle: (args: UserPageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => answering(args, () => openUserPage(args), handle);
}

/**
 * For pages of a premium area: a free user is told so before anything is read. The services ask for themselves all the
 * same.
 */
export function forPremiumUsers<T>(handle: (args: UserPageArgs) => T | Promise<T>) {
  return forUsers((args) => {
    authorisePremiumUser(args.ctx.actor, 'premium-area.open');
    return handle(args);
  });
}

/**
 * For every loader and action of the admin area: others go to `/admin/login`, an administrator without the second
 * factor they need goes to set it up. The services ask for themselves all the same.
 */
export function forAdmins<T>(handle: (args: UserPageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => answering(args, () => openAdminPage(args), handle);
}

/** For addresses of the admin area that answer with a file; see {@link forUsersFile}. */
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
 * For addresses of signed-in users that answer with a file: what is wrong is said in plain text, and nothing is kept by
 * a browser or a proxy unless the answer says so itself (ASVS 14.3.2).
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

/** For addresses that scripts of everybody's pages ask; see {@link forUsersFile}. */
export function forEveryoneFile(handle: (args: PageArgs) => Promise<Response>) {
  return (args: RouteArgs): Promise<Response> =>
    answering(
      args,
      () => openPage(args),
      async (page) => fileAnswer(await handle(page), args),
      refuseFile,
    );
}

/** For pages of visitors (landing, sign-in); signed-in users go to `/dashboard`. */
export function forVisitors<T>(handle: (args: PageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => answering(args, () => openVisitorPage(args), handle);
}

/** For files that are opened by the secret in their address alone, whoever is signed in here. */
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

/** What `work` gives, or what stands for it where it finds nothing: for a page that has more to say than "not found". */
export async function orWhenNotFound<T, N>(work: () => Promise<T>, instead: () => N): Promise<T | N> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return instead();
    throw error;
  }
}
