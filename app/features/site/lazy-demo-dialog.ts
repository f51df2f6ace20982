import { lazy } from 'react';

/** The demo dialog, whose code is only loaded when somebody opens it. */
export const LazyDemoDialog = lazy(() =>
  import('./demo-dialog.tsx').then((module) => ({ default: module.DemoDialog })),
);
