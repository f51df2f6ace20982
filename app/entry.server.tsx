import type {
  AppLoadContext,
  EntryContext,
  HandleDataRequestFunction,
  HandleErrorFunction,
} from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { addMissingHeaders, completeContext } from '#app/platform/http/guard.server.ts';
import {
  setCacheControl,
  setDocumentHeaders,
  compressResponse,
  renderDocument,
  reportError,
} from '#app/platform/http/render.server.ts';

import { startBehindForeignServer } from '#app/server/foreign-server.server.ts';
import { hasOwnServer } from '#app/server/lifecycle.server.ts';
import { NonceContext } from '#app/ui/nonce.tsx';

export { answered, apiPaths, boot, shutdown } from '#app/server/bootstrap.server.ts';

// `remix-serve`, and the servers of hosts for Remix apps, only load the build. They listen once this has ended.
if (!hasOwnServer()) await startBehindForeignServer();

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
  completeContext(request, loadContext);
  const { nonce, requestId } = loadContext;
  setCacheControl(request, headers);
  addMissingHeaders(headers, loadContext);
  setDocumentHeaders(remixContext, status, headers);
  const page = (
    <NonceContext.Provider value={nonce}>
      <RemixServer context={remixContext} url={request.url} nonce={nonce} abortDelay={streamTimeout} />
    </NonceContext.Provider>
  );
  return renderDocument(page, { request, status, headers, nonce, requestId, timeoutMs: RENDER_MS });
}

/** Responses to data requests by scripts: the same headers as pages, compressed once. */
export const handleDataRequest: HandleDataRequestFunction = (response, { request, context }) => {
  completeContext(request, context);
  setCacheControl(request, response.headers);
  addMissingHeaders(response.headers, context);
  return compressResponse(request, response);
};

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (!request.signal.aborted) reportError(error, { requestId: context.requestId });
};
