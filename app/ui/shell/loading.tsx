import { useNavigation } from '@remix-run/react';
import { useSyncExternalStore } from 'react';
import { hiddenNavigation, watchHidden } from '#app/ui/connection/no-answer.ts';
import { isModuleOnItsWay, watchModules } from '#app/ui/connection/route-modules.ts';

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

/**
 * 'Loading...' while the next page loads, 'Loading component...' while its code does. Hidden for fast pages: the style waits
 * 300 ms, and 3 s for the second line.
 */
export function LoadingBar() {
  const { state, location } = useNavigation();
  const hidden = useSyncExternalStore(watchHidden, hiddenNavigation, () => null);
  const isModule = useSyncExternalStore(watchModules, isModuleOnItsWay, () => false);
  if (state === 'idle' || location.key === hidden) return null;
  if (!isModule)
    return (
      <div className="loading-bar no-print">
        <Spinner />
      </div>
    );
  return (
    <div className="loading-bar no-print">
      <Spinner label="Loading component..." />
      <p className="slow-text loading-bar-slow">If this takes too long, try refreshing the page</p>
    </div>
  );
}
