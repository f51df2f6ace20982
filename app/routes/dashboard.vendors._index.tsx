import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { SupplierList, VendorPage } from '#app/features/vendors/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { listProducts, listSuppliers } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Vendors – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => {
  const [suppliers, products] = await Promise.all([listSuppliers(ctx), listProducts(ctx)]);
  return suppliers.map(({ id, name, site, contact, rating }) => {
    const offered = products.filter(({ supplierId }) => supplierId === id).length;
    return { id, name, site, contact, rating, products: offered };
  });
});

export default function Vendors() {
  const suppliers = useLoaderData<typeof loader>();
  const add = <LinkButton to="/dashboard/vendors/suppliers/new">Add supplier</LinkButton>;
  return (
    <VendorPage tab="suppliers" title="Vendors" actions={suppliers.length > 0 ? add : null}>
      <SupplierList suppliers={suppliers} />
    </VendorPage>
  );
}
