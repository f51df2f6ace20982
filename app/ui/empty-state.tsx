import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** What will be here and why it is useful. */
  children: ReactNode;
  /** The first thing to do. */
  action?: ReactNode;
  /** Of its heading: 2 right below the page's title. */
  level?: 2 | 3;
  /** What the page will be about, as one of the drawings in `public/drawings`. */
  drawing?: Drawing;
}

type Drawing = 'vials' | 'schedule' | 'sites' | 'notebook' | 'chart' | 'bell' | 'box' | 'gift' | 'done';

export function EmptyState({ title, children, action, level = 3, drawing }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className="margin-rule py-6 ps-6">
      {drawing ? (
        <img src={`/drawings/${drawing}.svg`} alt="" width={144} height={96} className="drawing" />
      ) : null}
      <Heading className={level === 2 ? 'text-xl' : undefined}>{title}</Heading>
      <div className="mt-1 max-w-prose text-soft">{children}</div>
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
