import type { useFetcher, ClientActionFunctionArgs } from '@remix-run/react';
import { answerOf, NoAnswerError, sayNoAnswer } from './no-answer.ts';

/** The status of an answer that did not arrive. It keeps Remix from reloading the page's data, which would fail as well. */
export const NO_ANSWER = 503;

/**
 * The `clientAction` of every route with an action. Without an answer the form stays as it was typed and a message says why.
 */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  try {
    return await answerOf(request, () => serverAction());
  } catch (thrown) {
    if (!(thrown instanceof NoAnswerError)) throw thrown;
    sayNoAnswer(thrown);
    return Response.json(null, { status: NO_ANSWER });
  }
}

type Fetcher = Pick<ReturnType<typeof useFetcher>, 'state' | 'formData' | 'data'>;

/**
 * The form to show optimistically before the server has answered. Undefined once it failed without an answer (its data is
 * null then), which undoes the optimistic display.
 */
export function shownAhead({ state, formData, data }: Fetcher): FormData | undefined {
  if (state === 'idle' || (state === 'loading' && data === null)) return undefined;
  return formData;
}
