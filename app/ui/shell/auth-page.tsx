import type { ReactNode } from 'react';

interface AuthPageProps {
  title: string;
  children: ReactNode;
  /** What to do instead: the other form, the way back. */
  footer?: ReactNode;
}

/** A narrow sheet with one form. */
export function AuthPage({ title, children, footer }: AuthPageProps) {
  return (
    <div className="mx-auto max-w-md py-6 sm:py-10">
      <div className="sheet p-5 sm:p-8">
        <h1 className="mb-5">{title}</h1>
        {children}
      </div>
      {footer ? <div className="mt-4 px-1">{footer}</div> : null}
    </div>
  );
}
