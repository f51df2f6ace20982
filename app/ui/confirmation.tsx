import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button, LinkButton } from './button.tsx';

interface ConfirmationProps {
  title: string;
  /** What follows from a yes. */
  children: ReactNode;
  /** Where the yes is sent. */
  action: string;
  yes: string;
  no?: string;
  noHref: string;
  /** How the yes looks; `danger` for what destroys or ends something. */
  variant?: 'danger' | 'primary';
  /** Hidden inputs and controls that are sent along. */
  fields?: ReactNode;
}

/** The page before something that cannot be taken back: a question, what follows from a yes, and the two answers. */
export function Confirmation({
  title,
  children,
  action,
  yes,
  no = 'Keep it',
  noHref,
  variant = 'danger',
  fields,
}: ConfirmationProps) {
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1 className="break-words">{title}</h1>
      <div className="mt-4 grid gap-3">{children}</div>
      <Form method="post" action={action} className="mt-6 grid gap-4">
        {fields}
        <div className="flex flex-wrap gap-3">
          <Button variant={variant}>{yes}</Button>
          <LinkButton to={noHref}>{no}</LinkButton>
        </div>
      </Form>
    </div>
  );
}
