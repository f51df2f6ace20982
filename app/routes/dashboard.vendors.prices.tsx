import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PriceGroups } from '#app/components/vendors/price-groups.tsx';
import { VendorPage } from '#app/components/vendors/vendor-page.tsx';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { priceGroupView } from '#app/http/vendor-views.server.ts';
import { priceComparison } from '#app/services/products.server.ts';

export const meta: MetaFunction = () => [{ title: 'Prices – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => (await priceComparison(ctx)).map(priceGroupView));

export default function Prices() {
  return (
    <VendorPage tab="prices" title="Price of a milligram">
      <PriceGroups groups={useLoaderData<typeof loader>()} />
    </VendorPage>
  );
}
