import { currentApp } from '#app/platform/http/session.server.ts';

const HEADERS = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };

/** Readiness: the database answers. */
export async function loader() {
  try {
    await currentApp().ping();
    return new Response('ready\n', { headers: HEADERS });
  } catch {
    return new Response('The database cannot be reached.\n', { status: 503, headers: HEADERS });
  }
}
