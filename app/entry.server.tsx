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

/** Milliseconds after which a render is given up. */
const RENDER_MS = 10_000;

/**
 * Milliseconds that Remix waits for what a loader leaves for later. No loader leaves anything, and the timer holds on to its
 * request until it ends: with ten seconds a busy server kept thousands of requests that were answered long ago.
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

/** What scripts ask for instead of a page: the same headers, compressed once. */
export const handleDataRequest: HandleDataRequestFunction = (response, { request }) => {
  setCacheControl(request, response.headers);
  return compressResponse(request, response);
};

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (!request.signal.aborted) reportError(error, { requestId: context.requestId });
};
