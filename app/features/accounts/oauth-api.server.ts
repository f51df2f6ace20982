import { offersConnections } from '#app/domain/accounts/connection.ts';
import { AppError, retryHeaders, STATUS } from '#app/domain/errors.ts';
import type { RouteArgs } from '#app/platform/http/guard.server.ts';
import { currentApp, visitorContext } from '#app/platform/http/session.server.ts';

const NEVER_KEPT = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

const isEndpoint = (name: string | undefined): name is 'register' | 'token' | 'revoke' =>
  name === 'register' || name === 'token' || name === 'revoke';

/** The error in the words of OAuth. */
function oauthCode({ code }: AppError): string {
  if (code === 'RATE_LIMITED') return 'too_many_requests';
  return STATUS[code] >= 500 ? 'server_error' : 'invalid_request';
}

/** An error that is no matter of OAuth, in its shape all the same. */
export function oauthRefusal(error: AppError): Response {
  const body = { error: oauthCode(error), error_description: error.message };
  const headers = { ...NEVER_KEPT, ...retryHeaders(error) };
  return Response.json(body, { status: STATUS[error.code], headers });
}

/**
 * Answers a program at `/oauth/…`.
 * @throws AppError NOT_FOUND for another address, or where connections are not offered; METHOD_NOT_ALLOWED, RATE_LIMITED,
 *   INVALID_INPUT, UNSUPPORTED_MEDIA_TYPE
 */
export async function answerOAuth({ request, params, context }: RouteArgs): Promise<Response> {
  const name = params['*'];
  if (!isEndpoint(name) || !offersConnections(currentApp().settings.APP_URL))
    throw new AppError('NOT_FOUND', 'There is no such address.');
  if (request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED', 'This address accepts only POST.');
  // Brings the SDK with it.
  const { answerProgram } = await import('./program-connections.server.ts');
  const { status, body } = await answerProgram(name, visitorContext(request, context), request);
  return Response.json(body, { status, headers: NEVER_KEPT });
}
