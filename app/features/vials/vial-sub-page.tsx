import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { PageTitle } from '#app/ui/page-head.tsx';

interface VialSubPageProps {
  title: string;
  backHref: string;
  backText: string;
  children: ReactNode;
}

/** The frame of a page for one action on a vial, with a link back. */
export function VialSubPage({ title, backHref, backText, children }: VialSubPageProps) {
  return (
    <>
      <PageTitle
        actions={
          <Link to={backHref} className="inline-flex min-h-11 items-center">
            {backText}
          </Link>
        }
      >
        {title}
      </PageTitle>
      <div className="sheet grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-4 p-5">{children}</div>
    </>
  );
}
