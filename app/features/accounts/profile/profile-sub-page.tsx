import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { PageTitle } from '#app/ui/page-title.tsx';

/** A page of one concern below the profile, with the way back. */
export function ProfileSubPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PageTitle
        actions={
          <Link to="/dashboard/profile" className="inline-flex min-h-11 items-center">
            Back to the profile
          </Link>
        }
      >
        {title}
      </PageTitle>
      <div className="sheet grid max-w-2xl gap-4 p-5">{children}</div>
    </>
  );
}
