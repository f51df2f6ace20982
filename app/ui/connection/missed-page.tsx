import { useNavigation } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { ERROR_WORDS, MODULE_FAILED, MODULE_TEXTS } from '#app/domain/messages.ts';
import { Notice } from '#app/ui/notice.tsx';

const KEY = 'vialbook-on-its-way';

/** Runs where storage is allowed; without it nothing is noted. */
function withStorage<Result>(work: (storage: Storage) => Result): Result | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

/** The address that was on its way when the page was reloaded. Asked once: it is forgotten then. */
function takeMissed(): string | null {
  const address = withStorage((storage) => storage.getItem(KEY));
  withStorage((storage) => storage.removeItem(KEY));
  const [visit] = performance.getEntriesByType('navigation');
  const isReload = visit instanceof PerformanceNavigationTiming && visit.type === 'reload';
  return isReload ? address : null;
}

/** Notes the address that is on its way, for as long as it is. @returns it, or null */
function useOnItsWay(): string | null {
  const { state, location } = useNavigation();
  const address = state === 'idle' ? null : `${location.pathname}${location.search}`;
  useEffect(() => {
    if (address === null) return;
    withStorage((storage) => storage.setItem(KEY, address));
    return () => void withStorage((storage) => storage.removeItem(KEY));
  }, [address]);
  return address;
}

/**
 * Remix reloads the page that is open when the code of another one does not load. Where no service worker has it requested
 * again, this says afterwards what happened, and leads on.
 */
export function MissedPage() {
  const [missed, setMissed] = useState<string | null>(null);
  const onItsWay = useOnItsWay();
  useEffect(() => setMissed(takeMissed()), []);
  useEffect(() => {
    if (onItsWay !== null) setMissed(null);
  }, [onItsWay]);
  if (missed === null) return null;
  return (
    <div className="refused-notice no-print">
      <Notice
        tone="error"
        role="alert"
        title={MODULE_FAILED}
        actions={
          <>
            <a href={missed} className="btn">
              {ERROR_WORDS.refresh}
            </a>
            <a href="/dashboard" className="btn">
              {MODULE_TEXTS.back}
            </a>
          </>
        }
      >
        {MODULE_TEXTS.what}
      </Notice>
    </div>
  );
}
