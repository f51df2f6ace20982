import { MODULE_FAILED } from '#app/domain/messages.ts';

const NAME = 'MissingPageError';

/**
 * A route module in place of one that did not load: its component throws, so the nearest error boundary shows what happened.
 * `since` is the time of the failure, because the browser keeps this module until the page is loaded anew.
 */
export function missingPage(since: number): Response {
  const error = `Object.assign(new Error('${MODULE_FAILED}'), { name: '${NAME}', since: ${since} })`;
  const module = `export default function MissingPage() { throw ${error}; }\n`;
  return new Response(module, {
    headers: { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' },
  });
}

/** When the code of a page failed to load, if that is why it was not shown; otherwise null. */
export function missingSince(error: unknown): number | null {
  if (!(error instanceof Error) || error.name !== NAME || !('since' in error)) return null;
  return Number(error.since);
}
