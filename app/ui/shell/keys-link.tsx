import { Link, useLocation } from '@remix-run/react';

const HELP_PARAM = 'help';

/** This page with the list of shortcuts open. */
export function helpHref(pathname: string, search: string): string {
  const params = new URLSearchParams(search);
  params.set(HELP_PARAM, 'keys');
  return `${pathname}?${params.toString()}`;
}

export const isHelpShown = (search: string): boolean =>
  new URLSearchParams(search).get(HELP_PARAM) === 'keys';

/** This page with the list closed. */
export function withoutHelp(pathname: string, search: string): string {
  const params = new URLSearchParams(search);
  params.delete(HELP_PARAM);
  const rest = params.toString();
  return rest ? `${pathname}?${rest}` : pathname;
}

/** A link that opens the list of shortcuts over the current page; it works without scripts. */
export function KeysLink({ children, className = '' }: { children: string; className?: string }) {
  const { pathname, search } = useLocation();
  return (
    <Link to={helpHref(pathname, search)} preventScrollReset className={`footer-link ${className}`}>
      {children}
    </Link>
  );
}
