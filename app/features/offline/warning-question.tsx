import { useEffect, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** What the address says about why this page is shown. */
export interface Asked {
  /** The page that could not be had; a path of this site. */
  from: string | null;
  /** Its owner wants to sign out although something waits. */
  signOut: boolean;
  /** They did, without a connection. */
  signedOut: boolean;
}

const NOTHING: Asked = { from: null, signOut: false, signedOut: false };

/** A path of this site, whatever an address says. */
function ownPath(path: string | null): string | null {
  if (path === null || !URL.canParse(path, window.location.origin)) return null;
  const { origin, pathname, search } = new URL(path, window.location.origin);
  return origin === window.location.origin ? pathname + search : null;
}

/** Read when scripts run: the page is kept without its query. */
export function useAsked(): Asked {
  const [asked, setAsked] = useState(NOTHING);
  useEffect(() => {
    const search = new URLSearchParams(window.location.search);
    setAsked({
      from: ownPath(search.get('from')),
      signOut: search.has('sign-out'),
      signedOut: search.has('signed-out'),
    });
  }, []);
  return asked;
}

const SIGNED_OUT =
  'You are signed out, and nothing of your account is left on this device. The server is told as soon as there is a connection.';

/** Why the reader is here, and the way back to where they wanted to go. */
export function AskedPage({ asked: { from, signedOut }, online }: { asked: Asked; online: boolean }) {
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
          ? 'There is a connection again, or the server was not reached.'
          : 'That page needs a connection. This is what works without one.'}
      </Notice>
    </div>
  );
}

/** Signing out deletes what was not sent: asked first. */
export function SignOutQuestion({ count }: { count: number }) {
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
        Signing out removes everything of your account from this device, these entries too.
      </Notice>
    </div>
  );
}
