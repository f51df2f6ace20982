import { useEffect, useState, type ComponentType } from 'react';
import { SIGN_OUT_PATH } from '#app/offline/paths.ts';
import { whenIdle } from '#app/ui/hydration.ts';
import { keepInstallOffer } from './install-offer.ts';

/** The sign-out form that is being sent, if it is one. */
function signOutForm({ target }: Event): HTMLFormElement | null {
  if (!(target instanceof HTMLFormElement)) return null;
  return target.getAttribute('action') === SIGN_OUT_PATH ? target : null;
}

/**
 * Signing out clears what this browser keeps, asks first when something of it was not sent yet, and works without a
 * connection. When that cannot be done here, the form is sent as it would be without scripts.
 * @returns ends it
 */
function holdSignOut(): () => void {
  const hold = (event: Event) => {
    const form = signOutForm(event);
    if (form === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    import('#app/offline/sign-out.ts').then((module) => module.signOut()).catch(() => form.submit());
  };
  // Before the router, which listens further in.
  window.addEventListener('submit', hold, { capture: true });
  return () => window.removeEventListener('submit', hold, { capture: true });
}

/**
 * What the installed app adds to every page: its service worker, the notices about updates and the connection, and what
 * is kept for times without one. Loaded after everything else; without scripts there is nothing of it.
 */
export function AppNotices() {
  const [Notices, setNotices] = useState<ComponentType | null>(null);
  useEffect(() => keepInstallOffer(), []);
  useEffect(() => holdSignOut(), []);
  useEffect(
    () =>
      whenIdle(() => {
        import('./notices.tsx').then(
          (module) => setNotices(() => module.Notices),
          // The page works without; the next one tries again.
          () => undefined,
        );
      }),
    [],
  );
  return Notices === null ? null : <Notices />;
}
