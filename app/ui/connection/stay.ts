import { useLocation, useNavigate } from '@remix-run/react';
import { useEffect } from 'react';
import { answerOf, NoAnswerError, sayNoAnswer } from './no-answer.ts';

/** Target of a navigation that only cancels another: an anchor on every page. */
const MAIN_TARGET = '#main';

/** The page that is shown while others are requested. */
interface ShownPage {
  address: string;
  /** Cancels a navigation that leads away from it. */
  stay(): void;
}

let shown: ShownPage | null = null;

/** Called once, by the root route: keeps the page that is shown at hand for {@link loadOrStay}. */
export function useShownPage(): void {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  useEffect(() => {
    const here = { pathname, search, hash: hash || MAIN_TARGET };
    shown = {
      address: `${pathname}${search}`,
      // Only the anchor may differ, so this requests nothing.
      stay: () => navigate(here, { replace: true, preventScrollReset: true }),
    };
  }, [navigate, pathname, search, hash]);
}

/** Ends when its request is given up, never with a result. */
function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

const addressOf = ({ pathname, search }: { pathname: string; search: string }) => `${pathname}${search}`;

/**
 * Loads the root route's data for its `clientLoader`, which takes part in every navigation. Without an answer the user stays on
 * the page that is shown, with everything typed, and sees a message.
 *
 * After "back" the browser already shows the other page's address, so that page is shown, with what `lost` returns.
 */
export async function loadOrStay<Data>(
  request: Request,
  load: () => Promise<Data>,
  lost: (error: NoAnswerError) => Data,
): Promise<Data> {
  try {
    return await answerOf(request, load);
  } catch (thrown) {
    if (!(thrown instanceof NoAnswerError)) throw thrown;
    if (shown === null || addressOf(window.location) !== shown.address) return lost(thrown);
    sayNoAnswer(thrown);
    // A page that fails to reload its own data keeps the data it has until the next navigation.
    if (addressOf(new URL(request.url)) !== shown.address) shown.stay();
    return await givenUp(request.signal);
  }
}
