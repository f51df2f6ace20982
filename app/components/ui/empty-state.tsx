import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** What will be here and why it is useful. */
  children: ReactNode;
  /** The first thing to do. */
  action?: ReactNode;
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="margin-rule py-6 pl-6">
      <h3>{title}</h3>
      <div className="mt-1 max-w-prose text-soft">{children}</div>
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
