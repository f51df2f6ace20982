import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { PageTitle, Tabs, type Tab } from '#app/ui/page-head.tsx';

export type VendorTab = 'suppliers' | 'prices' | 'orders';

const TABS: readonly Tab<VendorTab>[] = [
  { tab: 'suppliers', to: '/dashboard/vendors', label: 'Suppliers' },
  { tab: 'prices', to: '/dashboard/vendors/prices', label: 'Prices' },
  { tab: 'orders', to: '/dashboard/vendors/orders', label: 'Orders' },
];

interface VendorPageProps {
  tab: VendorTab;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a page in the vendors area, with its tabs. */
export function VendorPage({ tab, title, actions, children }: VendorPageProps) {
  return (
    <>
      <PageTitle actions={actions}>{title}</PageTitle>
      <Tabs label="Vendors" tabs={TABS} current={tab} />
      <div className="grid gap-6">{children}</div>
    </>
  );
}

/** The frame of a page for one action in the vendors area, with a link back. */
export function VendorStep({
  title,
  back,
  children,
}: Omit<VendorPageProps, 'tab' | 'actions'> & { back: string }) {
  return (
    <>
      <PageTitle
        actions={
          <Link to={back} className="inline-flex min-h-11 items-center">
            Back
          </Link>
        }
      >
        {title}
      </PageTitle>
      <div className="sheet grid max-w-2xl gap-4 p-5">{children}</div>
    </>
  );
}
