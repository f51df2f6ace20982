import { useNavigation } from '@remix-run/react';
import { Spinner } from '../ui/spinner.tsx';

/** 'Loading...' while the next page is on its way; a quick one never shows it (the style waits 300 ms). */
export function LoadingBar() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <div className="loading-bar no-print">
      <Spinner />
    </div>
  );
}
