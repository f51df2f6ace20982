import { Link, useLocation } from '@remix-run/react';
import { helpHref } from './help-address.ts';

/** To the list of keys, over the page that is read; without scripts the address leads there as well. */
export function KeysLink({ children, className = '' }: { children: string; className?: string }) {
  const { pathname, search } = useLocation();
  return (
    <Link to={helpHref(pathname, search)} preventScrollReset className={`footer-link ${className}`}>
      {children}
    </Link>
  );
}
