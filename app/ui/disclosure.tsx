import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** Collapsed content that opens without scripts. */
export function Disclosure({
  summary,
  open,
  children,
}: {
  summary: ReactNode;
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details className="disclosure" open={open}>
      <summary>
        <Icon name="chevron" size={16} />
        {summary}
      </summary>
      <div className="pb-4">{children}</div>
    </details>
  );
}
