/** Pages whose own action says what to do without an answer: their requests fail as they would without a guard. */
const SELF_HELPED = new Set(['/login.data', '/login/code.data']);

export const helpsItself = (pathname: string): boolean => SELF_HELPED.has(pathname);

/**
 * What a form is answered with when nobody answered: null, under a status after which its page asks for nothing else.
 * The format is that of Remix's single fetch (turbo-stream 2): `{ data: null }`.
 */
export const NO_ACTION_DATA = '[{"_1":-5},"data"]\n';

export const noActionData = (): Response =>
  new Response(NO_ACTION_DATA, { status: 503, headers: { 'Content-Type': 'text/x-script' } });

interface Place {
  pathname: string;
  search: string;
  hash: string;
}

/** As much of the router as is needed here. */
export interface LostRouter {
  state: { location: Place; navigation: { state: string; location?: Place & { key: string } } };
  navigate(to: Place, options: { replace: boolean; preventScrollReset: boolean }): unknown;
}

/** Where a navigation goes that only ends another one: a place on every page. */
const NOWHERE = '#main';

/** What became of a navigation whose page does not come: to be loaded by the browser, ended, or left to hang unseen. */
export type Ending = 'reload' | 'ended' | 'none' | { hidden: string };

/**
 * Ends the navigation that is under way. Going to a place on the page that is shown asks for nothing and ends what was
 * under way. It does ask when the router owes its pages a revalidation; then that has failed as well, and hangs, unseen,
 * until the next click. After "back" the address is already the other page's.
 */
export function endNavigation(router: LostRouter, address: Omit<Place, 'hash'>): Ending {
  const { location, navigation } = router.state;
  if (navigation.state === 'idle' || !navigation.location) return 'none';
  const { pathname, search } = location;
  if (address.pathname !== pathname || address.search !== search) return 'reload';
  const goal = navigation.location;
  if (goal.pathname === pathname && goal.search === search && goal.hash !== '') return { hidden: goal.key };
  void router.navigate(
    { pathname, search, hash: location.hash || NOWHERE },
    { replace: true, preventScrollReset: true },
  );
  return 'ended';
}

let hiddenKey: string | null = null;
const listeners = new Set<() => void>();

export function hideNavigation(key: string): void {
  hiddenKey = key;
  for (const listener of listeners) listener();
}

/** The key of the navigation that nobody waits for any more. */
export const hiddenNavigation = (): string | null => hiddenKey;

export function watchHidden(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
