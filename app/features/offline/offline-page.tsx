import { useEffect, useState, useMemo } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { OFFLINE_WORDS } from '#app/domain/messages.ts';
import { useServerAnswers } from '#app/offline/installed/use-connection.ts';
import { BrandMark, MAIN_ID, ResearchLine, SkipLink } from '#app/ui/shell/page-frame.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { useHydrated } from '#app/ui/hydration.ts';
import { LogForms } from './entry-form.tsx';
import { bookmarkedCalculation } from './bookmarked-calculation.ts';
import { OfflineCalculator, type OfflineCalculatorProps } from './offline-calculator.tsx';
import { SeenHistory, SeenSchedules, SeenVials } from './cached-lists.tsx';
import { TodayDoses } from './today-doses.tsx';
import { useStore, type StoreView } from './use-store.ts';
import { unsentCount, WaitingList } from './unsent-entries.tsx';

/** Why this page is shown, from the URL. */
interface Reason {
  /** The page that could not be loaded; a path of this site. */
  from: string | null;
  /** The user wants to sign out, but there are unsent entries. */
  signOut: boolean;
  /** The user has signed out offline. */
  signedOut: boolean;
}

const NOTHING: Reason = { from: null, signOut: false, signedOut: false };

/** The path if it is on this site, else null. */
function ownPath(path: string | null): string | null {
  if (path === null || !URL.canParse(path, window.location.origin)) return null;
  const { origin, pathname, search } = new URL(path, window.location.origin);
  return origin === window.location.origin ? pathname + search : null;
}

/** Read in the browser, because the page is cached without its query. */
function useReason(): Reason {
  const [reason, setReason] = useState(NOTHING);
  useEffect(() => {
    const search = new URLSearchParams(window.location.search);
    setReason({
      from: ownPath(search.get('from')),
      signOut: search.has('sign-out'),
      signedOut: search.has('signed-out'),
    });
  }, []);
  return reason;
}

const SIGNED_OUT =
  'You are signed out, and your data was removed from this device. Your session ends on the server when you are online.';

/** Why the user is here, and a link to the page they wanted. */
function ReasonNotice({ reason: { from, signedOut }, online }: { reason: Reason; online: boolean | null }) {
  if (signedOut)
    return (
      <Notice tone="success" role="status">
        {SIGNED_OUT}
      </Notice>
    );
  if (from === null) return null;
  return (
    <div className="py-3">
      <Notice
        tone={online ? 'info' : 'warning'}
        role="status"
        actions={
          <a href={from} className="btn">
            Try again
          </a>
        }
      >
        {online
          ? 'You are online. The page may work now.'
          : 'That page needs a connection. Here is what works offline.'}
      </Notice>
    </div>
  );
}

/** Signing out deletes unsent entries, so it asks first. */
function SignOutQuestion({ count }: { count: number }) {
  const leave = () => {
    void import('#app/offline/sign-out.ts').then(({ signOutHere }) => signOutHere());
  };
  return (
    <div className="py-3">
      <Notice
        tone="warning"
        role="alert"
        title={count === 1 ? '1 entry has not been sent.' : `${count} entries have not been sent.`}
        actions={
          <>
            <a href="/offline" className="btn btn-primary">
              Stay signed in
            </a>
            <Button type="button" variant="danger" onClick={leave}>
              {count === 1 ? 'Sign out and delete it' : 'Sign out and delete them'}
            </Button>
          </>
        }
      >
        Signing out removes all your data from this device, including these entries.
      </Notice>
    </div>
  );
}

/** What is known of the connection; nothing until the server was asked, nor without scripts. */
function ConnectionState({ online }: { online: boolean | null }) {
  if (online === null) return <p className="offline-state" role="status" />;
  return (
    <p className="offline-state" role="status" data-state={online ? 'on' : 'off'}>
      <Icon name={online ? 'check' : 'warning'} size={16} />
      {online ? 'Connected' : OFFLINE_WORDS}
    </p>
  );
}

/** Scrolls to the section in the URL's hash once it is rendered. */
function useScrollToHash(state: StoreView['state']): void {
  useEffect(() => {
    if (state === 'there' && window.location.hash !== '')
      document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, [state]);
}

function Account({ seen, waiting }: Pick<StoreView, 'seen' | 'waiting'>) {
  if (seen === null) return null;
  const account = seen.account?.value;
  const isPremium = account?.isPremium === true;
  const today = seen.today;
  return (
    <>
      {today ? (
        <TodayDoses
          seen={{ value: today.value, timestamp: today.timestamp }}
          timeZone={account?.timeZone ?? 'UTC'}
          waiting={waiting}
        />
      ) : null}
      {isPremium ? (
        <LogForms
          nextSite={seen.nextSite?.value ?? null}
          known={{ today: today?.value ?? null, vials: seen.vials?.value ?? [] }}
          unsent={unsentCount(waiting)}
        />
      ) : null}
      <SeenVials seen={seen.vials} />
      {isPremium ? <SeenSchedules seen={seen.schedules} /> : null}
      <SeenHistory seen={seen.history} />
    </>
  );
}

/**
 * What works offline: the calculator for everyone, and the signed-in user's data from this browser. Links are followed by
 * the browser, because the router would ask the server.
 */
export function OfflinePage(calculator: OfflineCalculatorProps) {
  const online = useServerAnswers();
  const scripts = useHydrated();
  const store = useStore();
  const reason = useReason();
  const { state, seen, waiting } = store;
  const syringes = seen?.account?.value.syringes;
  const bookmarked = useMemo(() => bookmarkedCalculation(reason.from, syringes), [reason.from, syringes]);
  useScrollToHash(state);
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="no-print border-b border-line bg-sheet">
        <div className="offline-head">
          <a
            href="/"
            className="inline-flex min-h-11 items-center gap-2 font-serif text-xl font-semibold text-ink no-underline"
          >
            <BrandMark />
            Vialbook
          </a>
          <ConnectionState online={online} />
          {state === 'there' ? (
            <div className="flex w-full items-center gap-4 border-t border-line">
              <p className="min-w-0 flex-1 truncate text-soft">
                {seen?.account?.value.email ?? 'Signed in on this device'}
              </p>
              <form method="post" action="/logout">
                <Button variant="plain" className="px-2 text-sm whitespace-nowrap">
                  Sign out
                </Button>
              </form>
            </div>
          ) : null}
        </div>
      </header>
      <main id={MAIN_ID} className="mx-auto w-full max-w-6xl px-4 pb-16">
        <ResearchLine>{RESEARCH_NOTICE}</ResearchLine>
        <ReasonNotice reason={reason} online={online} />
        {reason.signOut && state === 'there' ? <SignOutQuestion count={waiting.length} /> : null}
        <WaitingList waiting={waiting} />
        <PageTitle>Reconstitution Calculator</PageTitle>
        <OfflineCalculator
          {...calculator}
          {...bookmarked}
          syringes={syringes}
          canSave={state === 'there'}
          unsent={unsentCount(waiting)}
        />
        {state === 'there' ? <Account seen={seen} waiting={waiting} /> : null}
        {scripts && state === 'none' ? (
          <EmptyState
            level={2}
            title="No account data on this device"
            action={
              <a href="/login" className="btn">
                Sign in
              </a>
            }
          >
            After you sign in online, this page also shows today’s doses, your vials, schedules and saved
            calculations, and sends what you log here later. Everything is encrypted on this device and
            deleted when you sign out.
          </EmptyState>
        ) : null}
        {state === 'refused' ? (
          <EmptyState level={2} title="This browser stores nothing for this site">
            Cookies may be blocked, the window may be private, or the disk may be full. The calculator still
            works. Allow storage for this site to see today’s doses, vials and saved calculations offline.
          </EmptyState>
        ) : null}
      </main>
    </div>
  );
}
