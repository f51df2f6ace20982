import { useSyncExternalStore } from 'react';
import type { Tone } from './notice.tsx';

export interface Toast {
  id: string;
  /** In front of the message, heavier. */
  title?: string;
  message: string;
  type: Tone;
  /** Milliseconds it stays with scripts on; without them it stays until the next page. */
  duration?: number;
}

let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a message that scripts have to tell; one that is still shown is not said twice. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const isSame = ({ message, title }: Toast) => message === toast.message && title === toast.title;
  count += 1;
  set([...toasts.filter((shown) => !isSame(shown)), { ...toast, id: `here-${count}` }]);
}

export function dropToast(id: string): void {
  set(toasts.filter((toast) => toast.id !== id));
}

const NONE: readonly Toast[] = [];

/** The messages of scripts, the oldest first. */
export function useOwnToasts(): readonly Toast[] {
  return useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );
}
