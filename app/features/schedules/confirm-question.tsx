import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button, LinkButton } from '#app/ui/button.tsx';

interface ScheduleQuestionProps {
  title: string;
  /** What follows from a yes. */
  children: ReactNode;
  action: string;
  yes: string;
  isDangerous?: boolean;
  noHref: string;
  /** Hidden fields and controls of the form. */
  fields?: ReactNode;
}

/** The step before something that changes doses. */
export function ConfirmScheduleChange({
  title,
  children,
  action,
  yes,
  isDangerous,
  noHref,
  fields,
}: ScheduleQuestionProps) {
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1 className="break-words">{title}</h1>
      <div className="mt-3 grid gap-2 text-soft">{children}</div>
      <Form method="post" action={action} className="mt-6 grid gap-4">
        {fields}
        <div className="flex flex-wrap gap-3">
          <Button variant={isDangerous ? 'danger' : 'primary'}>{yes}</Button>
          <LinkButton to={noHref}>Cancel</LinkButton>
        </div>
      </Form>
    </div>
  );
}
