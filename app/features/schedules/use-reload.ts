import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';

/** How often schedule, dose and reminder data is reloaded. */
const RELOAD_MS = 5 * MINUTE_MS;

/** Reloads the page's data every five minutes while it is visible, and when it becomes visible after that time. */
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
