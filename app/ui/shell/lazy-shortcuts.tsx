import { useLocation } from '@remix-run/react';
import { lazy, Suspense } from 'react';
import { useHydrated } from '#app/ui/hydration.ts';
import { isHelpShown } from './keys-link.tsx';

const Shortcuts = lazy(() => import('./shortcuts.tsx').then((module) => ({ default: module.Shortcuts })));

/** Keyboard shortcuts, loaded after hydration. Rendered by the server only if their list is open. */
export function LazyShortcuts() {
  const { search } = useLocation();
  const isHydrated = useHydrated();
  if (!isHydrated && !isHelpShown(search)) return null;
  return (
    <Suspense fallback={null}>
      <Shortcuts />
    </Suspense>
  );
}
