import * as z from 'zod';
import { redirect } from '@remix-run/node';
import { cookie, currentApp } from './session.server.ts';

const flashSchema = z.array(
  z.object({
    id: z.string().max(40),
    type: z.enum(['success', 'error', 'warning', 'info']),
    message: z.string().max(300),
  }),
);

/** A short message for the next page, shown as a toast. */
type Flash = z.infer<typeof flashSchema>[number];

function flashCookie() {
  return cookie('vialbook_flash', { maxAge: 60, secrets: [currentApp().sessionSecret] });
}

/** The `Set-Cookie` value that carries messages to the next page. */
export function flash(type: Flash['type'], message: string): Promise<string> {
  const toast: Flash = { id: crypto.randomUUID().slice(0, 8), type, message };
  return flashCookie().serialize([toast]);
}

/** The messages left for this page, and the header that takes them away. */
export async function takeFlash(request: Request): Promise<{ toasts: Flash[]; headers: Headers }> {
  const headers = new Headers();
  const cookie = flashCookie();
  const header = request.headers.get('Cookie');
  if (!header?.includes(`${cookie.name}=`)) return { toasts: [], headers };
  headers.append('Set-Cookie', await cookie.serialize('', { maxAge: 0 }));
  const parsed = flashSchema.safeParse(await cookie.parse(header).catch(() => null));
  return { toasts: parsed.success ? parsed.data : [], headers };
}

/** Post, redirect, get: on to a page that says what was done. `cookies` go along. */
export async function done(path: string, message: string, cookies: readonly string[] = []) {
  const headers = new Headers();
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  headers.append('Set-Cookie', await flash('success', message));
  return redirect(path, { headers });
}
