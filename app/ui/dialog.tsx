import { Link, useNavigate } from '@remix-run/react';
import { useEffect, useRef, type ReactNode, type SyntheticEvent } from 'react';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  /** The page under the dialog: closing is a link to it. */
  closeHref: string;
  children: ReactNode;
  id?: string;
}

/**
 * A dialog with its own URL, open in the page that the server sends. Scripts make it modal: the focus stays inside, Escape
 * closes it, and the focus returns to where it was. Without scripts it is the same box with the same link to close it.
 */
export function Dialog({ title, closeHref, children, id = 'dialog' }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();

  useEffect(() => {
    const element = box.current;
    if (!element || element.matches(':modal')) return;
    const opener = document.activeElement;
    element.close();
    element.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);

  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    navigate(closeHref, { preventScrollReset: true });
  };

  return (
    <dialog ref={box} open className="dialog" aria-labelledby={`${id}-title`} onCancel={cancel}>
      <header className="flex items-center justify-between gap-4 border-b border-line ps-5">
        <h2 id={`${id}-title`} className="py-3">
          {title}
        </h2>
        <Link to={closeHref} preventScrollReset className="btn btn-plain" aria-label="Close">
          <Icon name="close" />
        </Link>
      </header>
      <div className="p-5">{children}</div>
    </dialog>
  );
}
