import { useEffect, useState, type ComponentType } from 'react';
import { holdSignOut } from './delay-sign-out.ts';
import { keepInstallOffer } from './install-offer.ts';

/** Runs when the page has loaded and has nothing better to do. @returns calls it off */
function whenIdle(run: () => void): () => void {
  // Safari has no idle callback.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, 1500);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(run, { timeout: 5000 });
  return () => cancelIdleCallback(id);
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
