import type { EntryContext } from '@remix-run/node';

/** As in React's and Remix's own scripts: nothing in a text may end its script, or the line that it is on. */
const UNSAFE: Record<string, string> = {
  '&': '\\u0026',
  '>': '\\u003e',
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
const inScript = (text: string): string =>
  JSON.stringify(text).replace(/[&><\u2028\u2029]/g, (match) => UNSAFE[match] ?? match);

/**
 * What the loaders answered, for the browser's scripts, as HTML that follows the page; empty where the page has none. Remix
 * would wait for it piece by piece within React; here all of it is there when the page is, since no loader leaves anything
 * for later.
 * @param data `serverHandoffStream` of the context that Remix gives
 * @param nonce that scripts of this page carry
 */
export async function loaderDataScripts(
  data: ReadableStream<Uint8Array> | undefined,
  { renderMeta }: Pick<EntryContext, 'renderMeta'>,
  nonce: string,
): Promise<string> {
  if (data === undefined || renderMeta?.didRenderScripts !== true) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of data) text += decoder.decode(piece, { stream: true });
  const enqueued = `window.__remixContext.streamController.enqueue(${inScript(text)});`;
  const closed = 'window.__remixContext.streamController.close();';
  return `<script nonce="${nonce}">${enqueued}${closed}</script>`;
}
