import { Tabs } from '#app/ui/page-head.tsx';

const TABS = [
  { tab: 'vials', to: '/dashboard/vials', label: 'Vials' },
  { tab: 'lots', to: '/dashboard/lots', label: 'Lots' },
  { tab: 'supplies', to: '/dashboard/supplies', label: 'Supplies' },
] as const;

/** What somebody has in stock: vials, the lots they are from, and syringes, swabs and water. */
export function StockTabs({ current }: { current: (typeof TABS)[number]['tab'] }) {
  return <Tabs label="Stock" tabs={TABS} current={current} />;
}
