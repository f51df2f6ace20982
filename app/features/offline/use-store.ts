import { useEffect, useState } from 'react';
import type * as Keeper from '#app/offline/offline-sync.ts';
import type { Seen } from '#app/offline/offline-sync.ts';
import type { Queued } from '#app/offline/outbox.ts';
import type { OutboxEntry } from '#app/domain/offline/entry.ts';

/** The data in this browser. */
export interface StoreView {
  /** `none`: no account's data is here; `refused`: the browser stores nothing for this site. */
  state: 'loading' | 'none' | 'refused' | 'there';
  seen: Seen | null;
  waiting: readonly Queued[];
}

const LOADING: StoreView = { state: 'loading', seen: null, waiting: [] };
const NONE: StoreView = { state: 'none', seen: null, waiting: [] };
const REFUSED: StoreView = { state: 'refused', seen: null, waiting: [] };

async function look(): Promise<StoreView> {
  const { hasOwner, readSeen, readWaiting } = await import('#app/offline/offline-sync.ts');
  if (!(await hasOwner())) return NONE;
  const [seen, waiting] = await Promise.all([readSeen(), readWaiting()]);
  return { state: 'there', seen, waiting };
}

/** Reads the store, again whenever it changes in any tab. */
export function useStore(): StoreView {
  const [view, setView] = useState(LOADING);
  useEffect(() => {
    let ended = false;
    const read = () => {
      look().then(
        (next) => {
          if (!ended) setView(next);
        },
        () => setView(REFUSED),
      );
    };
    read();
    let stop = () => {};
    import('#app/offline/broadcast.ts').then(
      ({ watchStore }) => {
        if (ended) return;
        const unwatch = watchStore(read);
        stop = () => void unwatch();
      },
      () => undefined,
    );
    return () => {
      ended = true;
      stop();
    };
  }, []);
  return view;
}

async function sendNow({ sendWaiting, refreshSeen }: typeof Keeper): Promise<void> {
  const { written } = await sendWaiting();
  if (written > 0) await refreshSeen();
}

/** Saves an entry on this device and, when online, sends it. @throws when it cannot be saved */
export async function queueEntry(entry: Pick<OutboxEntry, 'kind' | 'about' | 'fields'>): Promise<void> {
  const offlineSync = await import('#app/offline/offline-sync.ts');
  await offlineSync.queueEntry(entry);
  // The entry is saved, and sending is retried: an error here must not make the user log it twice.
  if (navigator.onLine) await sendNow(offlineSync).catch(() => undefined);
}
