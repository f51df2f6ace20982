import { useEffect, useState, type ComponentType } from 'react';
import { SIGN_OUT_PATH } from '#app/offline/paths.ts';
import { whenIdle } from '#app/ui/hydration.ts';
import { keepInstallOffer } from './install-offer.ts';

/** The submitted form if it is the sign-out form, else null. */
function signOutForm({ target }: Event): HTMLFormElement | null {
  if (!(target instanceof HTMLFormElement)) return null;
  return target.getAttribute('action') === SIGN_OUT_PATH ? target : null;
}

/**
 * Handles sign-out in the browser: it asks about unsent entries, wipes this browser's data, and works offline. If that fails,
 * the form is submitted as it would be without scripts.
 * @returns stops handling it
 */
function handleSignOut(): () => void {
  const hold = (event: Event) => {
    const form = signOutForm(event);
    if (form === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    import('#app/offline/sign-out.ts').then((module) => module.signOut()).catch(() => form.submit());
  };
  // In the capture phase, before the router.
  window.addEventListener('submit', hold, { capture: true });
  return () => window.removeEventListener('submit', hold, { capture: true });
}

/**
 * What the app adds to every page: the service worker, notices about updates and the connection, and the data for offline
 * use. Loaded last; needs scripts.
 */
export function AppNotices() {
  const [Notices, setNotices] = useState<ComponentType | null>(null);
  useEffect(() => keepInstallOffer(), []);
  useEffect(() => handleSignOut(), []);
  useEffect(
    () =>
      whenIdle(() => {
        import('./notices.tsx').then(
          (module) => setNotices(() => module.Notices),
          // The page works without them; the next page tries again.
          () => undefined,
        );
      }),
    [],
  );
  return Notices === null ? null : <Notices />;
}
