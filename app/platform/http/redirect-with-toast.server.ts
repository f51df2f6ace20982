import { redirect } from '@remix-run/node';
import { flash } from './flash.server.ts';

/** Post, redirect, get: on to a page that says what was done. `cookies` go along. */
export async function done(path: string, message: string, cookies: readonly string[] = []) {
  const headers = new Headers();
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  headers.append('Set-Cookie', await flash('success', message));
  return redirect(path, { headers });
}
