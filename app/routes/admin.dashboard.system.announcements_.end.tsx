import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { endAnnouncement, getAnnouncement } from '#app/features/system/index.server.ts';

const PATH = '/admin/dashboard/system/announcements';

export const meta: MetaFunction = () => [{ title: 'End announcement – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, url }) => {
  const { id, title } = await getAnnouncement(ctx, url.searchParams.get('id') ?? '');
  return { id, title };
});

export const action = forAdmins(async ({ ctx, url }) => {
  await endAnnouncement(ctx, url.searchParams.get('id') ?? '');
  throw await done(PATH, 'Announcement ended');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EndAnnouncement() {
  const { id, title } = useLoaderData<typeof loader>();
  return (
    <Confirmation
      title={`End “${title}”?`}
      action={`${PATH}/end?id=${id}`}
      yes="End announcement"
      noHref={PATH}
    >
      <p>It disappears for all readers. It stays in this list and in the audit trail.</p>
    </Confirmation>
  );
}
