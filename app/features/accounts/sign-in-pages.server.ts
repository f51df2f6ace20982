import { data, redirect, redirectDocument } from '@remix-run/node';
import { isAdminRole } from '#app/domain/accounts/roles.ts';
import type { SignedIn } from './accounts.server.ts';
import { isOthersDevice } from './device-token.server.ts';
import type { Attempt } from './authenticate.server.ts';
import { currentApp } from '#app/platform/http/current-app.server.ts';
import {
  ADMIN_LOGIN_PATH,
  SECOND_FACTOR_PATH,
  type PageArgs,
} from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/safe-redirect.ts';
import {
  challengeCookie,
  DEVICE_DATA,
  deviceCookie,
  readDeviceCookie,
  sessionCookie,
} from '#app/platform/http/session.server.ts';

/** An admin on a site with https gets nowhere as one without a second factor. */
function mustSetUpFirst({ role, secondFactor }: SignedIn['user']): boolean {
  return isAdminRole(role) && !secondFactor && currentApp().settings.APP_URL.startsWith('https:');
}

/** One of the two doors: where its steps are, and where it leads unless a page was asked for. */
export interface Door {
  login: string;
  code: string;
  home: string;
}

export const USER_DOOR: Door = { login: '/login', code: '/login/code', home: '/dashboard' };
export const ADMIN_DOOR: Door = {
  login: ADMIN_LOGIN_PATH,
  code: `${ADMIN_LOGIN_PATH}/code`,
  home: '/admin/dashboard',
};

/** What asks to come in, and where: enough of a page's arguments. */
type Asking = Pick<PageArgs, 'request' | 'ctx'>;

/**
 * On to the page that was asked for, with the new session in the browser. Where somebody else signed in last, what the
 * browser keeps of them goes before anything of the new page runs, and the page is loaded whole.
 */
export async function enter(
  { request, ctx }: Asking,
  signedIn: SignedIn,
  redirectTo: string | null,
  door: Door = USER_DOOR,
): Promise<Response> {
  const { token, session, deviceToken, user } = signedIn;
  const isOthers = isOthersDevice(ctx.secret, user.id, await readDeviceCookie(request));
  const headers = new Headers(isOthers ? { 'Clear-Site-Data': DEVICE_DATA } : {});
  headers.append('Set-Cookie', await sessionCookie(token, session));
  headers.append('Set-Cookie', await deviceCookie(deviceToken));
  const target = mustSetUpFirst(user) ? SECOND_FACTOR_PATH : safeRedirect(redirectTo, door.home);
  return isOthers ? redirectDocument(target, { headers }) : redirect(target, { headers });
}

/** On to the page that asks for the code. */
async function askForCode(challenge: string, redirectTo: string | null, door: Door): Promise<Response> {
  const target = redirectTo === null ? null : safeRedirect(redirectTo, door.home);
  const search = target === null ? '' : `?redirectTo=${encodeURIComponent(target)}`;
  return redirect(`${door.code}${search}`, { headers: { 'Set-Cookie': await challengeCookie(challenge) } });
}

/** The answer to a sign-in or registration form: on to the next step, or the form again. */
export async function signInReply(asking: Asking, attempt: Attempt, door: Door = USER_DOOR) {
  if (attempt.ok) {
    const { step, redirectTo } = attempt;
    throw step.next === 'done'
      ? await enter(asking, step.signedIn, redirectTo, door)
      : await askForCode(step.challenge, redirectTo, door);
  }
  const headers = new Headers();
  if (attempt.retryAfterSeconds !== undefined)
    headers.set('Retry-After', String(Math.ceil(attempt.retryAfterSeconds)));
  return data({ lastResult: attempt.lastResult }, { status: attempt.status, headers });
}
