import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { PageTitle } from '#app/ui/page-head.tsx';

interface LotSubPageProps {
  title: string;
  backHref: string;
  backText: string;
  children: ReactNode;
}

/** The frame of a page about lots, with a link back. */
export function LotSubPage({ title, backHref, backText, children }: LotSubPageProps) {
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
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">{children}</div>
    </>
  );
}
