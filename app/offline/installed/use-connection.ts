import { useEffect, useRef, useState, useSyncExternalStore } from 'react';

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

/** The cheapest answer of the server: no session, no database. */
const LIVENESS = '/healthz';

/** How long the server may take. */
const ANSWER_MS = 5000;

/** The pauses between two requests: short at first, so that a server that restarts is noticed soon. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

async function answers(): Promise<boolean> {
  try {
    const { ok } = await fetch(LIVENESS, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    return ok;
  } catch {
    return false;
  }
}

/**
 * Whether the server answers, which the browser cannot know: it counts any network as a connection. Null until it was asked.
 */
export function useServerAnswers(): boolean | null {
  const online = useOnline();
  const [isReached, setReached] = useState<boolean | null>(null);
  useEffect(() => {
    if (!online) return setReached(false);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const ask = async (pause: number) => {
      const now = await answers();
      if (isOver) return;
      setReached(now);
      timer = setTimeout(() => void ask(Math.min(2 * pause, LONGEST_PAUSE_MS)), pause);
    };
    void ask(FIRST_PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [online]);
  return isReached;
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
