import { useSyncExternalStore, useEffect, useState } from 'react';
import { Form, Link } from '@remix-run/react';
import { type Tone, TONE_ICON } from './notice.tsx';
import { Button, LinkButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { useHydrated } from './hydration.ts';

/** Something that can be done about a message: with fields a form that sends them, otherwise a link. */
interface ToastAction {
  label: string;
  to: string;
  fields?: Readonly<Record<string, string>> | undefined;
}

export interface Toast {
  id: string;
  /** Shown in bold before the message. */
  title?: string | undefined;
  message: string;
  type: Tone;
  actions?: readonly ToastAction[] | undefined;
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

/** Time to read a message and to press one of its buttons. */
const ACTIONS_DURATION_MS = 12_000;

/** The buttons of a message. */
const ToastActions = ({ actions }: { actions: readonly ToastAction[] }) => (
  <div className="toast-actions">
    {actions.map(({ label, to, fields }) =>
      fields ? (
        <Form key={label} method="post" action={to}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button variant="plain">{label}</Button>
        </Form>
      ) : (
        <LinkButton key={label} to={to} variant="plain">
          {label}
        </LinkButton>
      ),
    )}
  </div>
);

interface ToastCardProps {
  toast: Toast;
  closeHref: string;
  onClose: (id: string) => void;
}

function ToastCard({ toast, closeHref, onClose }: ToastCardProps) {
  const [isPaused, setPaused] = useState(false);
  const hydrated = useHydrated();
  const { id, actions = [] } = toast;
  const { duration = actions.length > 0 ? ACTIONS_DURATION_MS : DEFAULT_DURATION_MS } = toast;

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
      <div className="min-w-0 flex-1 py-3">
        <p>
          {toast.title ? <strong className="block">{toast.title}</strong> : null}
          {toast.message}
        </p>
        {actions.length > 0 ? <ToastActions actions={actions} /> : null}
      </div>
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
