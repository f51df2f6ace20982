import { randomUUID } from 'node:crypto';
import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { AppError } from '#app/domain/errors.ts';
import { isAboutSelling } from './addresses.ts';
import { limitProblem, originProblem, type Incoming } from './request-rules.ts';
import { newNonce, securityHeaders } from './security-headers.server.ts';
import { currentApp, sessionCookieName } from './session.server.ts';

export type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;

/** The client's address as the nearest trusted proxy reports it; behind a server that passes on no socket there is no other. */
function forwardedAddress(request: Request, proxies: number): string {
  const chain = request.headers.get('X-Forwarded-For')?.split(',') ?? [];
  return (proxies > 0 ? chain.at(-proxies)?.trim() : undefined) ?? 'unknown';
}

/** Fills in what a server other than ours does not say of a request. */
export function completeContext(request: Request, context: AppLoadContext): void {
  if ('requestId' in context) return;
  const { APP_URL, BILLING, TRUST_PROXY } = currentApp().settings;
  const [nonce, requestId] = [newNonce(), randomUUID()];
  const options = { https: APP_URL.startsWith('https:'), payments: BILLING === 'stripe' };
  const { pathname } = new URL(request.url);
  const known: AppLoadContext = {
    nonce,
    requestId,
    clientAddress: forwardedAddress(request, TRUST_PROXY),
    isThisMachine: false,
    origin: request.headers.get('Origin'),
    missingHeaders: { ...securityHeaders(pathname, nonce, options), 'X-Request-Id': requestId },
    whenTaken: () => Promise.resolve(),
  };
  Object.assign(context, known);
}

/** Adds the headers that the response lacks; a policy of its own stays beside that of every response. */
export function addMissingHeaders(headers: Headers, { missingHeaders }: AppLoadContext): void {
  if (headers.has('X-Frame-Options')) return;
  for (const [name, value] of Object.entries(missingHeaders)) headers.append(name, value);
}

/** What the rules see of a request. */
function incoming(request: Request): Incoming {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    url: `${pathname}${search}`,
    header: (name) => request.headers.get(name) ?? undefined,
  };
}

/** The origin under which a request reached the server. */
function reachedOrigin(request: Request, proxies: number): string {
  const { protocol, host } = new URL(request.url);
  const forwarded = proxies > 0 ? request.headers.get('X-Forwarded-Host') : null;
  return `${protocol}//${forwarded ?? request.headers.get('Host') ?? host}`;
}

/**
 * The first step of every loader and action: refuses what another site may have sent, and what no page or call accepts. Our
 * own server has refused the latter already.
 * @throws AppError FOREIGN_ORIGIN, NOT_FOUND, METHOD_NOT_ALLOWED, INVALID_INPUT, LENGTH_REQUIRED, PAYLOAD_TOO_LARGE
 */
export function guardRequest({ request, context }: RouteArgs): void {
  completeContext(request, context);
  const { APP_URL, BILLING, TRUST_PROXY } = currentApp().settings;
  const { origin: appOrigin, protocol } = new URL(APP_URL);
  const arrived = incoming(request);
  const problem =
    limitProblem(arrived) ??
    originProblem(arrived, {
      origin: context.origin,
      ownOrigins: [appOrigin, reachedOrigin(request, TRUST_PROXY)],
      sessionCookie: sessionCookieName(protocol === 'https:'),
    });
  if (problem !== null) throw new AppError(problem.code, problem.message);
  if (BILLING === 'off' && isAboutSelling(arrived.path))
    throw new AppError('NOT_FOUND', 'There is no such page.');
}
