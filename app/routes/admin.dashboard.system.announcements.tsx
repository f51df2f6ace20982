import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AnnouncementForm, AnnouncementRows, SystemPage } from '#app/features/admin/index.ts';
import { announcementInput, announcementRow } from '#app/features/admin/system/system-pages.server.ts';
import { formText, tryForm, done } from '#app/platform/http/forms.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { announce, listAnnouncements } from '#app/features/system/index.server.ts';

const PATH = '/admin/dashboard/system/announcements';

export const meta: MetaFunction = () => [{ title: 'Announcements – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user }) => {
  const { open, over } = await listAnnouncements(ctx);
  const rows = [...open, ...over].map((one) => announcementRow(one, ctx.now(), user.timeZone));
  return { rows, idempotencyKey: crypto.randomUUID(), timeZone: user.timeZone };
});

export const action = forAdmins(async ({ request, ctx }) => {
  const tried = await tryForm(request, (form) =>
    announce(ctx, announcementInput(form), formText(form, 'idempotencyKey')),
  );
  if (!tried.ok) return tried.answer;
  throw await done(PATH, 'Announcement published');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function AdminAnnouncements() {
  const { rows, idempotencyKey, timeZone } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <SystemPage tab="announcements" title="Announcements">
      <AnnouncementRows rows={rows} />
      <AnnouncementForm
        key={idempotencyKey}
        idempotencyKey={idempotencyKey}
        timeZone={timeZone}
        refused={refused}
      />
    </SystemPage>
  );
}
