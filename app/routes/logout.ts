import { redirect } from '@remix-run/node';
import { forEveryone, withoutPage } from '#app/platform/http/route-handlers.server.ts';
import { forgetForm } from '#app/platform/http/kept-form.server.ts';
import { DEVICE_DATA, endedSessionCookie, rememberedEmailCookie } from '#app/platform/http/session.server.ts';
import { leaveCookies } from '#app/features/accounts/provider-pages.server.ts';
import { signOut } from '#app/features/accounts/index.server.ts';

/** Signing out changes something, so it takes a POST; a GET redirects to the home page. */
export const loader = withoutPage(() => redirect('/'));

export const action = forEveryone(async ({ ctx, request }) => {
  await signOut(ctx);
  const headers = new Headers({ 'Clear-Site-Data': DEVICE_DATA });
  headers.append('Set-Cookie', await endedSessionCookie());
  headers.append('Set-Cookie', await rememberedEmailCookie(null));
  for (const line of await leaveCookies(request)) headers.append('Set-Cookie', line);
  for (const line of await forgetForm(request)) headers.append('Set-Cookie', line);
  throw redirect('/login', { headers });
});
