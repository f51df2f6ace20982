import type { AppError } from '#app/domain/errors.ts';
import { addMissingHeaders, completeContext, type RouteArgs } from '#app/platform/http/guard.server.ts';
import { withoutPage } from '#app/platform/http/route-handlers.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Mcp-Protocol-Version, Last-Event-ID',
  'Access-Control-Max-Age': '600',
};
const READABLE =
  'ETag, Link, Retry-After, RateLimit, RateLimit-Policy, Location, API-Version, X-Request-Id, Idempotency-Replayed, Content-Disposition';

/**
 * The same request without what says which page sent it, and without its cookies, so that it can't use a sign-in in this
 * browser.
 */
function asProgram(args: RouteArgs): RouteArgs {
  const headers = new Headers(args.request.headers);
  for (const name of ['Origin', 'Sec-Fetch-Site', 'Cookie']) headers.delete(name);
  const request = new Request(args.request, { headers });
  return { ...args, request, context: { ...args.context, origin: null } };
}

/**
 * For addresses that programs call. Pages of the origins in `CORS_ORIGINS` may call them with a bearer token; any other
 * foreign origin is refused, even for reads.
 * @param refuse the response to a refused request
 */
export function forPrograms(
  handle: (args: RouteArgs) => Promise<Response>,
  refuse: (error: AppError, args: RouteArgs) => Response | Promise<Response>,
) {
  const answer = withoutPage(handle, refuse);
  return async (args: RouteArgs): Promise<Response> => {
    completeContext(args.request, args.context);
    const { origin } = args.context;
    if (origin === null || !currentApp().settings.CORS_ORIGINS.includes(origin)) return answer(args);
    const response =
      args.request.method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: PREFLIGHT })
        : await answer(asProgram(args));
    addMissingHeaders(response.headers, args.context);
    response.headers.set('Access-Control-Allow-Origin', origin);
    response.headers.set('Access-Control-Expose-Headers', READABLE);
    response.headers.append('Vary', 'Origin');
    return response;
  };
}
