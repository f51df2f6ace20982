import type { useFetcher } from '@remix-run/react';

type Fetcher = Pick<ReturnType<typeof useFetcher>, 'state' | 'formData' | 'data'>;

/**
 * The form that is shown as done before the server has answered. Nothing once it came back without an answer (its data is
 * null then): what was shown is taken back, even while the page still tries to read itself anew.
 */
export function shownAhead({ state, formData, data }: Fetcher): FormData | undefined {
  if (state === 'idle' || (state === 'loading' && data === null)) return undefined;
  return formData;
}
