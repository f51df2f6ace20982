import type {
  AppLoadContext,
  EntryContext,
  HandleDataRequestFunction,
  HandleErrorFunction,
} from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { NonceContext } from '#app/ui/nonce.tsx';
import {
  setCacheControl,
  setDocumentHeaders,
  loaderDataScripts,
  compressResponse,
  renderDocument,
  reportError,
} from '#app/platform/http/render.server.ts';

export { answered, boot, shutdown } from '#app/server/bootstrap.server.ts';

/** Milliseconds after which rendering is aborted. */
const RENDER_MS = 10_000;

/**
 * Milliseconds that Remix waits for deferred loader data. No loader defers anything, but the timer keeps its request in
 * memory until it ends: with ten seconds, a busy server held thousands of requests that had long been answered.
 */
export const streamTimeout = 500;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const { serverHandoffStream, ...context } = remixContext;
  const page = (
    <NonceContext.Provider value={loadContext.nonce}>
      <RemixServer context={context} url={request.url} nonce={loadContext.nonce} abortDelay={streamTimeout} />
    </NonceContext.Provider>
  );
  setCacheControl(request, headers);
  setDocumentHeaders(remixContext, status, headers);
  const after = () => loaderDataScripts(serverHandoffStream, context, loadContext.nonce);
  return renderDocument(page, after, { request, status, headers, timeoutMs: RENDER_MS });
}

/** Responses to data requests by scripts: the same headers as pages, compressed once. */
export const handleDataRequest: HandleDataRequestFunction = (response, { request }) => {
  setCacheControl(request, response.headers);
  return compressResponse(request, response);
};

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (!request.signal.aborted) reportError(error, { requestId: context.requestId });
};
