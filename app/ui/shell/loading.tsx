import { useNavigation } from '@remix-run/react';
import { useEffect, useState } from 'react';

/** The waiting state of a slow page or part. The text is shown even without motion. */
export function Spinner({ label = 'Loading...' }: { label?: string }) {
  return (
    <div role="status" className="flex items-center justify-center gap-3 p-8 text-soft">
      <svg
        aria-hidden="true"
        className="spin"
        width="20"
        height="20"
        viewBox="0 0 20 20"
        fill="none"
        strokeWidth="2"
      >
        <circle cx="10" cy="10" r="8" className="stroke-line" />
        <path d="M10 2a8 8 0 0 1 8 8" className="stroke-pen" />
      </svg>
      {label}
    </div>
  );
}

/** A page that takes longer is probably waiting for more than its data. */
const SLOW_MS = 1000;
/** When to say what to do if it never arrives. */
const STUCK_MS = 3000;

/** True from some time after the loading began until it ends. */
function useIsOver(ms: number, isLoading: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setOver(true), ms);
    return () => {
      clearTimeout(timer);
      setOver(false);
    };
  }, [ms, isLoading]);
  return isOver;
}

/**
 * 'Loading...' while the next page loads, 'Loading component...' when it takes longer than a second. Hidden for fast pages: the
 * style waits 300 ms.
 */
export function LoadingBar() {
  const isLoading = useNavigation().state !== 'idle';
  const isSlow = useIsOver(SLOW_MS, isLoading);
  const isStuck = useIsOver(STUCK_MS, isLoading);
  if (!isLoading) return null;
  return (
    <div className="loading-bar no-print">
      <Spinner label={isSlow ? 'Loading component...' : undefined} />
      {isStuck ? <p className="loading-bar-slow">If this takes too long, try refreshing the page</p> : null}
    </div>
  );
}
