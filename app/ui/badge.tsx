import type { ReactNode } from 'react';

export type BadgeTone = 'plain' | 'pen' | 'soft' | 'good' | 'warn' | 'danger';

const CLASS: Record<BadgeTone, string> = {
  plain: 'text-ink',
  pen: 'text-pen bg-pen-wash',
  soft: 'text-soft',
  good: 'text-good bg-good-wash',
  warn: 'text-warn bg-warn-wash',
  danger: 'text-danger bg-danger-wash',
};

/** A word in a box. The word names the state; the tone only repeats it. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return <span className={`tag ${CLASS[tone]}`}>{children}</span>;
}
