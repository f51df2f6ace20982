import type {
  AppLoadContext,
  EntryContext,
  HandleDataRequestFunction,
  HandleErrorFunction,
} from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { NonceContext } from '#app/ui/nonce.tsx';
import { setCacheControl, setDocumentHeaders } from '#app/platform/http/cache-headers.ts';
import { compressResponse, renderDocument } from '#app/platform/http/render.server.ts';
import { reportError } from '#app/platform/http/report-error.server.ts';

export { answered, boot, shutdown } from '#app/server/bootstrap.server.ts';

/** Milliseconds after which a render is given up. */
export const streamTimeout = 10_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const page = (
    <NonceContext.Provider value={loadContext.nonce}>
      <RemixServer
        context={remixContext}
        url={request.url}
        nonce={loadContext.nonce}
        abortDelay={streamTimeout}
      />
    </NonceContext.Provider>
  );
  setCacheControl(request, headers);
  setDocumentHeaders(remixContext, status, headers);
  return renderDocument(page, { request, status, headers, timeoutMs: streamTimeout + 1_000 });
}

/** What scripts ask for instead of a page: the same headers, compressed once. */
export const handleDataRequest: HandleDataRequestFunction = (response, { request }) => {
  setCacheControl(request, response.headers);
  return compressResponse(request, response);
};

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (!request.signal.aborted) reportError(error, { requestId: context.requestId });
};
