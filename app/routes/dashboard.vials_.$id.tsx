import { data, type MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { PageTitle } from '#app/ui/page-head.tsx';
import { VialView } from '#app/features/vials/index.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { readVialView } from '#app/features/vials/pages.server.ts';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.vial.name ?? 'Vial'} – Vialbook` },
];

export const loader = forUsers(async ({ ctx, user, params, url }) => {
  const view = await readVialView(ctx, user, params['id'] ?? '', url.searchParams);
  return data(view, { status: view.draw.error === null ? 200 : 400 });
});

export default function Vial() {
  const view = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle
        actions={
          <Link to="/dashboard/vials" className="inline-flex min-h-11 items-center">
            Back to vials
          </Link>
        }
      >
        {view.vial.name}
      </PageTitle>
      <VialView {...view} />
    </>
  );
}
