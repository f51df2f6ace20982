import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button, LinkButton } from '#app/ui/button.tsx';

interface ConfirmDeleteProps {
  question: string;
  /** What will be gone. */
  children: ReactNode;
  action: string;
  cancelHref: string;
}

/** The step before something tracked goes. */
export function ConfirmDelete({ question, children, action, cancelHref }: ConfirmDeleteProps) {
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1 className="wrap-anywhere">{question}</h1>
      <div className="mt-3 text-soft wrap-anywhere">{children}</div>
      <Form method="post" action={action} className="mt-6 flex flex-wrap gap-3">
        <Button variant="danger">Delete</Button>
        <LinkButton to={cancelHref}>Keep it</LinkButton>
      </Form>
    </div>
  );
}
