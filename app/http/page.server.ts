import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node';
import { isAppError, type AppError } from '#app/domain/errors.ts';
import type { Ctx, SignedInUser } from '#app/services/context.server.ts';
import { endedSessionCookie, requestContext, visitorContext } from './session.server.ts';
import { STATUS } from './status.ts';

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

/** The same where there is no page to show it in. */
function textResponse(error: AppError): Response {
  const { init } = errorResponse(error);
  const headers = new Headers(init?.headers);
  headers.set('Cache-Control', 'no-store');
  headers.set('Content-Type', 'text/plain; charset=utf-8');
  return new Response(`${error.message}\n`, { status: STATUS[error.code], headers });
}

/** A suspended account is signed out at its next click and reads why on the sign-in page. */
async function showSuspension(): Promise<Response> {
  return redirect('/login?notice=suspended', { headers: { 'Set-Cookie': await endedSessionCookie() } });
}

/** Where an administrator without the second factor they need is sent. */
export const SECOND_FACTOR_PATH = '/dashboard/profile/second-factor';

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
    if (error.code === 'SUSPENDED') throw await showSuspension();
    if (error.code === 'RECENT_SIGN_IN_REQUIRED') throw askPassword(new URL(request.url));
    if (error.code === 'SECOND_FACTOR_SETUP_REQUIRED') throw redirect(SECOND_FACTOR_PATH);
    throw refuse(error);
  }
}

async function openPage({ request, params, context }: RouteArgs): Promise<PageArgs> {
  return { request, params, url: new URL(request.url), ctx: await requestContext(request, context) };
}

async function openUserPage(args: RouteArgs): Promise<UserPageArgs> {
  const page = await openPage(args);
  const { actor } = page.ctx;
  if (actor.kind === 'user') return { ...page, user: actor };
  const target = `${page.url.pathname}${page.url.search}`;
  throw redirect(`/login?redirectTo=${encodeURIComponent(target)}`);
}

async function openVisitorPage(args: RouteArgs): Promise<PageArgs> {
  const page = await openPage(args);
  if (page.ctx.actor.kind !== 'visitor') throw redirect('/dashboard');
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

/** For addresses of signed-in users that answer with a file: what is wrong is said in plain text. */
export function forUsersFile(handle: (args: UserPageArgs) => Promise<Response>) {
  return (args: RouteArgs): Promise<Response> =>
    answering(args, () => openUserPage(args), handle, textResponse);
}

/** For pages of visitors (landing, sign-in); signed-in users go to `/dashboard`. */
export function forVisitors<T>(handle: (args: PageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => answering(args, () => openVisitorPage(args), handle);
}

/** For pages that must work whatever became of the session, sign-out above all. */
export function withoutSession<T>(handle: (args: PageArgs) => T | Promise<T>) {
  return (args: RouteArgs): Promise<T> => {
    const { request, params, context } = args;
    const ctx = () => visitorContext(request, context);
    return answering(
      args,
      () => Promise.resolve({ request, params, url: new URL(request.url), ctx: ctx() }),
      handle,
    );
  };
}
