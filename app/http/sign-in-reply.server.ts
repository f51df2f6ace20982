import { data, redirect } from '@remix-run/node';
import type { Attempt } from './authenticate.server.ts';
import { safeRedirect } from './safe-redirect.ts';
import { deviceCookie, sessionCookie } from './session.server.ts';

/** The answer to a sign-in or registration form: on to the page that was asked for, or the form again. */
export async function signInReply(attempt: Attempt) {
  if (!attempt.ok) {
    const headers = new Headers();
    if (attempt.retryAfterSeconds !== undefined)
      headers.set('Retry-After', String(Math.ceil(attempt.retryAfterSeconds)));
    return data({ lastResult: attempt.lastResult }, { status: attempt.status, headers });
  }
  const { token, session, deviceToken } = attempt.signedIn;
  const headers = new Headers();
  headers.append('Set-Cookie', await sessionCookie(token, session));
  headers.append('Set-Cookie', await deviceCookie(deviceToken));
  throw redirect(safeRedirect(attempt.redirectTo), { headers });
}
