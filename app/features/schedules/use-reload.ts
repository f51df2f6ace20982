import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';

/** Schedule, dose and reminder data refresh every 5 minutes (specification, section 9). */
const RELOAD_MS = 5 * 60_000;

/** Reads the page's data anew every five minutes while it is seen, and when it comes back into view after that time. */
export function useReload(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let last = Date.now();
    const reload = () => {
      if (document.visibilityState !== 'visible' || Date.now() - last < RELOAD_MS) return;
      last = Date.now();
      revalidate();
    };
    const timer = setInterval(reload, RELOAD_MS);
    document.addEventListener('visibilitychange', reload);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', reload);
    };
  }, [revalidate]);
}
