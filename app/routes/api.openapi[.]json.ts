import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { methodNotAllowed, respond } from '#app/platform/api/answer.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { currentDocument } from '#app/platform/api/route.server.ts';

/** The document of the API, for programs. */
export function loader({ request }: LoaderFunctionArgs) {
  const body = JSON.stringify(currentDocument(OPERATIONS), null, 1);
  return respond(request, { status: 200, body, headers: { 'Cache-Control': 'no-cache' } }, true);
}

export function action({ request, context }: ActionFunctionArgs) {
  return respond(request, methodNotAllowed(['GET', 'HEAD'], context.requestId));
}
