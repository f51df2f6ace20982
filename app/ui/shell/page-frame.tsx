import { Link, useLocation } from '@remix-run/react';
import { type ReactNode, useEffect, useRef } from 'react';

/** The product's mark: a vial drawn on a ruled page. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <rect x="1" y="1" width="30" height="30" rx="3" className="fill-pen" />
      <path d="M6 1v30" className="stroke-on-pen" strokeOpacity="0.5" />
      <path
        d="M14 6h9v4h-9zM13 12h11l1 2.5V26H12V14.5z"
        fill="none"
        className="stroke-on-pen"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="M13 19h11v6H13z" className="fill-on-pen" />
    </svg>
  );
}

export function Brand({ to }: { to: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2 font-serif text-xl font-semibold text-ink no-underline"
    >
      <BrandMark />
      <span className="brand-name">Vialbook</span>
    </Link>
  );
}

export const MAIN_ID = 'main';

/** First in the tab order; visible when focused. */
export function SkipLink({ to = MAIN_ID }: { to?: string | undefined }) {
  return (
    <a
      href={`#${to}`}
      className="btn btn-primary sr-only focus:not-sr-only focus:fixed focus:top-2 focus:start-2 focus:z-50"
    >
      Skip to content
    </a>
  );
}

/** The research-only / 18+ notice: always shown, never in the way. */
export function ResearchLine({ children }: { children: ReactNode }) {
  return (
    <p role="note" className="research-line">
      {children}
    </p>
  );
}

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

/**
 * Moves the focus to the new page's heading after a navigation, so that screen readers read it and tabbing continues from
 * there, as when a browser loads a page. A dialog takes the focus itself.
 */
export function PageFocus() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.querySelector('dialog:modal')) return;
    const place = document.querySelector<HTMLElement>('main h1') ?? document.getElementById(MAIN_ID);
    if (!place) return;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }, [pathname]);
  return null;
}
