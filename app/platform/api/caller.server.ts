import type { AppLoadContext } from '@remix-run/node';
import { AppError } from '#app/domain/errors.ts';
import { contextAs, type Ctx } from '#app/platform/access/context.server.ts';
import { currentApp } from '#app/platform/http/current-app.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { readSessionToken, visitorContext } from '#app/platform/http/session.server.ts';

/** Who makes a call. */
export interface ApiCaller {
  ctx: Ctx;
  /** The bearer token; null for a cookie and for visitors. */
  token: string | null;
  /** Whose calls are counted together: the sign-in, the personal token, or the client. */
  countedAs: string;
}

/** The bearer token of a request; undefined without one, null when the header is something else. */
function bearerOf(request: Request): string | null | undefined {
  const header = request.headers.get('Authorization');
  if (header === null) return undefined;
  return /^Bearer +([\x21-\x7e]{1,500})$/i.exec(header.trim())?.[1] ?? null;
}

/** Whose token it is: of a sign-in, or a personal one. A cookie holds only the former. */
async function resolve(visitor: Ctx, token: string | null, isBearer: boolean) {
  const { findBySession, findByApiToken } = currentApp();
  const session = await findBySession(visitor, token);
  return session ?? (isBearer ? findByApiToken(visitor, token) : null);
}

function countedAs({ actor, client }: Ctx): string {
  if (actor.kind !== 'user') return `client:${client.address}`;
  return actor.apiToken ? `token:${actor.apiToken.id}` : `session:${actor.sessionId}`;
}

/**
 * Finds out who calls: by bearer token, else by the session cookie.
 * @param mustBeKnown a token that opens nothing is refused; else its bearer counts as a visitor
 * @throws AppError UNAUTHENTICATED for a token that opens nothing, RATE_LIMITED for too many of them, SUSPENDED
 */
export async function findCaller(
  request: Request,
  context: AppLoadContext,
  mustBeKnown: boolean,
): Promise<ApiCaller> {
  const visitor = visitorContext(request, context);
  const bearer = bearerOf(request);
  const token = bearer === undefined ? await readSessionToken(request) : bearer;
  const resolved = await resolve(visitor, token, bearer !== undefined).catch((error: unknown) => {
    if (mustBeKnown) throw error;
    return null;
  });
  if (resolved === null && bearer !== undefined && mustBeKnown) {
    await visitor.throttle.take({ rule: THROTTLE_RULES.api, who: countedAs(visitor) });
    throw new AppError(
      'UNAUTHENTICATED',
      'This token is not valid, or it has expired. Please sign in again.',
    );
  }
  const ctx = resolved === null ? visitor : contextAs(visitor, resolved.actor);
  return { ctx, token: resolved === null ? null : (bearer ?? null), countedAs: countedAs(ctx) };
}
