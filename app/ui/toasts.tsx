import { useSyncExternalStore, useEffect, useState } from 'react';
import { Link } from '@remix-run/react';
import { type Tone, TONE_ICON } from './notice.tsx';
import { Icon } from './icon.tsx';
import { useHydrated } from './hydration.ts';

export interface Toast {
  id: string;
  /** Shown in bold before the message. */
  title?: string;
  message: string;
  type: Tone;
  /** Milliseconds until it disappears; without scripts it stays until the next page. */
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

/** Shows a message from a script. The same message is not shown twice at a time. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const isSame = ({ message, title }: Toast) => message === toast.message && title === toast.title;
  count += 1;
  set([...toasts.filter((shown) => !isSame(shown)), { ...toast, id: `here-${count}` }]);
}

function dropToast(id: string): void {
  set(toasts.filter((toast) => toast.id !== id));
}

const NONE: readonly Toast[] = [];

/** The messages from scripts, oldest first. */
function useOwnToasts(): readonly Toast[] {
  return useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );
}

const DEFAULT_DURATION_MS = 5000;

interface ToastCardProps {
  toast: Toast;
  closeHref: string;
  onClose: (id: string) => void;
}

function ToastCard({ toast, closeHref, onClose }: ToastCardProps) {
  const [isPaused, setPaused] = useState(false);
  const hydrated = useHydrated();
  const { id, duration = DEFAULT_DURATION_MS } = toast;

  // Stays while the user points at it or has tabbed into it.
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => onClose(id), duration);
    return () => clearTimeout(timer);
  }, [isPaused, id, duration, onClose]);

  const hold = () => setPaused(true);
  const release = () => setPaused(false);
  return (
    <div
      role={toast.type === 'error' ? 'alert' : 'status'}
      className={`toast notice notice-${toast.type} items-center py-0 pe-0`}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon name={TONE_ICON[toast.type]} />
      <p className="min-w-0 flex-1 py-3">
        {toast.title ? <strong className="block">{toast.title}</strong> : null}
        {toast.message}
      </p>
      {hydrated ? (
        <button type="button" className="btn btn-plain" onClick={() => onClose(id)}>
          <Icon name="close" />
          <span className="sr-only">Close</span>
        </button>
      ) : (
        <Link to={closeHref} className="btn btn-plain" aria-label="Close">
          <Icon name="close" />
        </Link>
      )}
    </div>
  );
}

/**
 * Short messages at the top right, from the server for this page and from scripts.
 * `closeHref` is this page: without scripts, closing a message reloads it.
 */
export function ToastStack({ toasts, closeHref }: { toasts: readonly Toast[]; closeHref: string }) {
  const [closed, setClosed] = useState<readonly string[]>([]);
  const own = useOwnToasts();
  const shown = [...toasts, ...own].filter((toast) => !closed.includes(toast.id));
  const [close] = useState(() => (id: string) => {
    setClosed((before) => [...before, id]);
    dropToast(id);
  });
  if (shown.length === 0) return null;
  return (
    <div className="toasts">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} closeHref={closeHref} onClose={close} />
      ))}
    </div>
  );
}
