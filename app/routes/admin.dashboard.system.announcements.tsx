import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AnnouncementForm, AnnouncementRows, SystemPage } from '#app/features/admin/index.ts';
import { announcementRow } from '#app/features/admin/system/system-pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { announcementFormSchema } from '#app/domain/system/announcement.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { announce, listAnnouncements } from '#app/features/system/index.server.ts';

const PATH = '/admin/dashboard/system/announcements';

export const meta: MetaFunction = () => [{ title: 'Announcements – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user }) => {
  const { open, over } = await listAnnouncements(ctx);
  const rows = [...open, ...over].map((one) => announcementRow(one, ctx.now(), user.timeZone));
  return { rows, idempotencyKey: crypto.randomUUID(), timeZone: user.timeZone };
});

export const action = forAdmins(({ request, ctx }) =>
  submit(request, announcementFormSchema, async ({ idempotencyKey, ...input }) => {
    await announce(ctx, input, idempotencyKey);
    return done(PATH, 'Announcement published');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function AdminAnnouncements() {
  const { rows, idempotencyKey, timeZone } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
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
