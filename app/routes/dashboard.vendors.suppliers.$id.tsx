import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { ProductTable, VendorPage } from '#app/features/vendors/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { productLine } from '#app/features/vendors/pages.server.ts';
import { listProductsOf, getSupplier } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.name ?? 'Supplier'} – Vialbook` },
];

export const loader = forPremiumUsers(async ({ ctx, user, params }) => {
  const { id, name, site, contact, notes } = await getSupplier(ctx, params.id ?? '');
  const products = await listProductsOf(ctx, id);
  return { id, name, site, contact, notes, products: products.map((row) => productLine(row, user.timeZone)) };
});

export default function Supplier() {
  const { id, name, site, contact, notes, products } = useLoaderData<typeof loader>();
  const path = `/dashboard/vendors/suppliers/${id}`;
  return (
    <VendorPage tab="suppliers" title={name} actions={<LinkButton to={`${path}/edit`}>Edit</LinkButton>}>
      <div className="grid gap-1">
        {site ? (
          <a href={site} rel="noreferrer nofollow" className="inline-flex min-h-11 items-center break-all">
            {site}
          </a>
        ) : null}
        {contact ? <p>{contact}</p> : null}
        {notes ? <p className="max-w-prose whitespace-pre-line text-soft">{notes}</p> : null}
      </div>
      {products.length > 0 ? (
        <ProductTable products={products} />
      ) : (
        <EmptyState level={2} title="No products yet" drawing="box">
          Add what this supplier sells to compare prices per mg and to place orders.
        </EmptyState>
      )}
      <div className="no-print flex flex-wrap gap-3">
        <LinkButton to={`${path}/products`} variant={products.length === 0 ? 'primary' : 'quiet'}>
          Add product
        </LinkButton>
        <LinkButton to={`${path}/catalogue`}>Import a catalogue</LinkButton>
        {products.length > 0 ? (
          <LinkButton to={`/dashboard/vendors/orders/new?supplier=${id}`} variant="primary">
            New order
          </LinkButton>
        ) : null}
        <LinkButton to={`${path}/delete`} variant="plain" className="text-danger">
          Delete supplier
        </LinkButton>
      </div>
    </VendorPage>
  );
}
