import { lazy, Suspense, type ComponentProps } from 'react';
import type { ScheduleForm } from './schedule-form.tsx';

const LoadedForm = lazy(() =>
  import('./schedule-form.tsx').then((module) => ({ default: module.ScheduleForm })),
);

/** The form of a schedule for a page that shows it only in one of its states: its scripts load when it is shown. */
export function LazyScheduleForm(props: ComponentProps<typeof ScheduleForm>) {
  return (
    <Suspense fallback={null}>
      <LoadedForm {...props} />
    </Suspense>
  );
}
