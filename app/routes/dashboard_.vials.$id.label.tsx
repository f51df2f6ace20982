import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { VialLabel } from '#app/features/vials/index.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { labelOfVial } from '#app/features/vials/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Label – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const id = params['id'] ?? '';
  return { id, ...(await labelOfVial(ctx, id)) };
});

/** A vial's printable label, without the dashboard's navigation. */
export default function Label() {
  const { id, label, qr } = useLoaderData<typeof loader>();
  return <VialLabel label={label} qr={qr} backHref={`/dashboard/vials/${id}`} />;
}
