import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PriceGroups, VendorPage } from '#app/features/vendors/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { priceGroupView } from '#app/features/vendors/pages.server.ts';
import { priceComparison } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Prices – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => (await priceComparison(ctx)).map(priceGroupView));

export default function Prices() {
  return (
    <VendorPage tab="prices" title="Price per mg">
      <PriceGroups groups={useLoaderData<typeof loader>()} />
    </VendorPage>
  );
}
