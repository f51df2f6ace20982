import type { ReactNode } from 'react';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { PageTitle } from '#app/ui/page-title.tsx';

/** The frame of the pages about plan and payment. */
export function PlanPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn>
      <PageTitle>{title}</PageTitle>
      {children}
    </PublicShell>
  );
}
