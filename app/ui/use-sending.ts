import { useNavigation } from '@remix-run/react';
import type { RefObject } from 'react';

/**
 * True while the form around this button is on its way: from the press until the next page, or the same one with its
 * messages, is there. A form that only asks (GET) may be asked again at any time.
 */
export function useSending(button: RefObject<HTMLButtonElement>): boolean {
  const { state, formAction, formMethod } = useNavigation();
  if (state === 'idle' || formAction === undefined || formMethod === 'GET') return false;
  const { current } = button;
  const action = current?.getAttribute('formaction') ?? current?.form?.getAttribute('action');
  return action === formAction;
}
