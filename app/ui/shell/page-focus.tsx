import { useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { MAIN_ID } from './page-frame.tsx';

/**
 * After a change of page the focus goes to its heading, which is read out and from which the tabulator goes on; a
 * browser does the same when it loads a page. A dialog takes the focus by itself.
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
