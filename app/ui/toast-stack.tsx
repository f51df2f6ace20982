import { Link } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';
import { TONE_ICON } from './notice.tsx';
import { dropToast, useOwnToasts, type Toast } from './toast-store.ts';
import { useHydrated } from './use-hydrated.ts';

const DEFAULT_DURATION_MS = 5000;

interface ToastCardProps {
  toast: Toast;
  closeHref: string;
  onClose: (id: string) => void;
}

function ToastCard({ toast, closeHref, onClose }: ToastCardProps) {
  const [held, setHeld] = useState(false);
  const hydrated = useHydrated();
  const { id, duration = DEFAULT_DURATION_MS } = toast;

  // A reader who points at it or tabs into it has not finished with it.
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => onClose(id), duration);
    return () => clearTimeout(timer);
  }, [held, id, duration, onClose]);

  const hold = () => setHeld(true);
  const release = () => setHeld(false);
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
 * Short messages at the top right: those the server left for this page, and those that scripts have to tell.
 * `closeHref` is this page again: without scripts, closing loads it anew.
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
