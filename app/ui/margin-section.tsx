import type { ReactNode } from 'react';

interface MarginSectionProps {
  id: string;
  /** Shown in the margin, left of the rule. */
  title: string;
  children: ReactNode;
}

/** A section of a notebook page: its name in the margin, its entries right of the double rule. */
export function MarginSection({ id, title, children }: MarginSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="margin-section">
      <h2 id={`${id}-title`}>{title}</h2>
      <div>{children}</div>
    </section>
  );
}
