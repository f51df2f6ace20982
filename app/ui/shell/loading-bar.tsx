import { useNavigation } from '@remix-run/react';
import { useSyncExternalStore } from 'react';
import { hiddenNavigation, watchHidden } from '#app/ui/connection/failed-navigation.ts';
import { isModuleOnItsWay, watchModules } from '#app/ui/connection/module-status.ts';
import { Spinner } from '#app/ui/spinner.tsx';

/**
 * 'Loading...' while the next page is on its way, 'Loading component...' while its code is; a quick one never shows it
 * (the style waits 300 ms, for the second line 3 s).
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
