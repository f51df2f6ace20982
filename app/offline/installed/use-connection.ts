import { useEffect, useRef, useSyncExternalStore } from 'react';

function watch(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Whether the browser believes it has a connection. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  );
}

/** Calls `tell` on each change, but not for the initial state. */
export function useConnectionChange(online: boolean, tell: (online: boolean) => void): void {
  const before = useRef(online);
  useEffect(() => {
    if (before.current === online) return;
    before.current = online;
    tell(online);
  }, [online, tell]);
}
