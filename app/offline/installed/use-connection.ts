import { useEffect, useRef, useSyncExternalStore } from 'react';

function watch(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Whether this browser has a connection, as far as it knows. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  );
}

/** Tells of each change, not of how it was at first. */
export function useConnectionChange(online: boolean, tell: (online: boolean) => void): void {
  const before = useRef(online);
  useEffect(() => {
    if (before.current === online) return;
    before.current = online;
    tell(online);
  }, [online, tell]);
}
