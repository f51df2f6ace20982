import { useLocation, Form, Link, NavLink } from '@remix-run/react';
import type { ReactNode } from 'react';
import { MessagePage } from '#app/ui/errors/error-pages.tsx';
import { LinkButton, Button } from '#app/ui/button.tsx';
import { BrandMark, MAIN_ID, SkipLink } from '#app/ui/shell/page-frame.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { useSite } from '#app/ui/site.ts';

/** The signed-in administrator, as the header shows them. */
export interface AdminFrame {
  email: string;
  role: 'admin' | 'super_admin';
}

const ADMIN_TABS: readonly { to: string; label: string; end?: true; sells?: true }[] = [
  { to: '/admin/dashboard', label: 'Overview', end: true },
  { to: '/admin/dashboard/users', label: 'Users' },
  { to: '/admin/dashboard/subscriptions', label: 'Subscriptions', sells: true },
  { to: '/admin/dashboard/system', label: 'System' },
  { to: '/admin/dashboard/audit', label: 'Audit' },
];

/** The frame of every page of the admin area. */
export function AdminShell({ children, ...frame }: AdminFrame & { children: ReactNode }) {
  const { isSelling } = useSite();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="no-print border-b border-line bg-sheet">
        <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-3 px-4">
          <Link
            to="/admin/dashboard"
            className="inline-flex min-h-11 items-center gap-2 font-serif text-xl font-semibold text-ink no-underline"
          >
            <BrandMark />
            Vialbook
          </Link>
          <Badge tone="pen">{ROLE_BADGES[frame.role]}</Badge>
          <div className="ms-auto -me-2 flex items-center">
            <Link to="/dashboard" className="btn btn-plain hidden px-2 sm:inline-flex">
              My dashboard
            </Link>
            <Form method="post" action="/logout">
              <Button variant="plain" className="px-2 text-sm whitespace-nowrap sm:text-base">
                Sign out
              </Button>
            </Form>
          </div>
          <p className="order-last w-full truncate pb-1 text-sm text-soft lg:order-none lg:w-auto lg:pb-0">
            {`Welcome, ${frame.email}`}
          </p>
        </div>
      </header>
      <div className="no-print border-b border-line bg-sheet">
        <nav aria-label="Admin" className="admin-tabs mx-auto max-w-7xl px-4">
          {ADMIN_TABS.filter(({ sells = false }) => isSelling || !sells).map(({ to, label, end = false }) => (
            <NavLink key={to} to={to} end={end} prefetch="intent">
              {label}
            </NavLink>
          ))}
        </nav>
      </div>
      <main id={MAIN_ID} className="mx-auto w-full max-w-7xl min-w-0 flex-1 px-4 pb-16">
        {children}
      </main>
    </div>
  );
}

const ROLE_BADGES: Readonly<Record<AdminFrame['role'], string>> = {
  admin: 'Admin',
  super_admin: 'Super Admin',
};

/** Shown when an admin page's data could not be loaded. */
export function AdminDataError({ message = 'Failed to load admin stats' }: { message?: string }) {
  const { pathname, search } = useLocation();
  return (
    <MessagePage
      title="Error loading admin data"
      actions={
        <LinkButton to={`${pathname}${search}`} reloadDocument variant="primary">
          Retry
        </LinkButton>
      }
    >
      <p>{message}</p>
    </MessagePage>
  );
}
