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

function useIsSlow(isLoading: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isLoading]);
  return isSlow;
}

/**
 * 'Loading...' while the next page loads, 'Loading component...' when it takes longer than a second. Hidden for fast pages: the
 * style waits 300 ms, and 3 s for the second line.
 */
export function LoadingBar() {
  const isLoading = useNavigation().state !== 'idle';
  const isSlow = useIsSlow(isLoading);
  if (!isLoading) return null;
  return (
    <div className="loading-bar no-print">
      <Spinner label={isSlow ? 'Loading component...' : undefined} />
      <p className="slow-text loading-bar-slow">If this takes too long, try refreshing the page</p>
    </div>
  );
}
