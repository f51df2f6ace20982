import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { PageTitle } from '#app/ui/page-title.tsx';

interface ReportPageProps {
  title: string;
  backHref: string;
  back: string;
  children: ReactNode;
}

/** A page about reports, with the way back. */
export function ReportPage({ title, backHref, back, children }: ReportPageProps) {
  return (
    <>
      <PageTitle
        actions={
          <Link to={backHref} className="inline-flex min-h-11 items-center">
            {back}
          </Link>
        }
      >
        {title}
      </PageTitle>
      {children}
    </>
  );
}
