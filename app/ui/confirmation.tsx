import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button, LinkButton } from './button.tsx';

interface ConfirmationProps {
  title: string;
  /** The consequences of confirming. */
  children: ReactNode;
  /** Where the form is sent. */
  action: string;
  yes: string;
  no?: string;
  noHref: string;
  /** `danger` for what destroys or ends something. */
  variant?: 'danger' | 'primary';
  /** Further inputs of the form. */
  fields?: ReactNode;
}

/** Asks for confirmation: a question, its consequences and two answers. */
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
