import { useLocation } from '@remix-run/react';
import { lazy, Suspense } from 'react';
import { useHydrated } from '#app/ui/hydration.ts';
import { isHelpShown } from './page-frame.tsx';

const Shortcuts = lazy(() => import('./shortcuts.tsx').then((module) => ({ default: module.Shortcuts })));

// One element for all renders: a new one would be an update of the boundary before its code has arrived, which React
// answers by throwing away what the server has sent (error 421).
const shortcuts = (
  <Suspense fallback={null}>
    <Shortcuts />
  </Suspense>
);

/** Keyboard shortcuts, loaded after hydration. Rendered by the server only if their list is open. */
export function LazyShortcuts() {
  const { search } = useLocation();
  const isHydrated = useHydrated();
  return isHydrated || isHelpShown(search) ? shortcuts : null;
}
