import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button, LinkButton } from '#app/ui/button.tsx';

interface QuestionProps {
  title: string;
  /** What follows from a yes. */
  children: ReactNode;
  action: string;
  /** The words of the yes and of the no. */
  yes: string;
  no: string;
  noHref: string;
}

/** The step before something that cannot be taken back. */
export function Question({ title, children, action, yes, no, noHref }: QuestionProps) {
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1>{title}</h1>
      <div className="mt-4 grid gap-3">{children}</div>
      <Form method="post" action={action} className="mt-6 flex flex-wrap gap-3">
        <Button variant="danger">{yes}</Button>
        <LinkButton to={noHref}>{no}</LinkButton>
      </Form>
    </div>
  );
}
