import { Link } from '@remix-run/react';

interface HistoryToggleProps {
  shown: boolean;
  count: number;
  /** This page with the history shown, or hidden when it is shown. */
  href: string;
}

/** A link beside the title; nothing while there is nothing to show. */
export function HistoryToggle({ shown, count, href }: HistoryToggleProps) {
  if (count === 0 && !shown) return null;
  return (
    <Link
      to={href}
      preventScrollReset
      className="inline-flex min-h-11 items-center font-semibold"
      aria-expanded={shown}
      aria-controls={shown ? 'history' : undefined}
    >
      {shown ? 'Hide History' : `Show History (${count})`}
    </Link>
  );
}
