import type { ReactNode } from 'react';

interface MessagePageProps {
  title: string;
  children?: ReactNode;
  /** The one thing to do next, as a link or button. */
  actions?: ReactNode;
}

/** A page that says one thing and what to do next. */
export function MessagePage({ title, children, actions }: MessagePageProps) {
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-16">
      <div className="margin-rule py-2 ps-6">
        <h1>{title}</h1>
        <div className="mt-3 grid gap-3">{children}</div>
        {actions ? <div className="mt-6 flex flex-wrap gap-3">{actions}</div> : null}
      </div>
    </div>
  );
}
