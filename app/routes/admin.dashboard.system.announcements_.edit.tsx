import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData, type ShouldRevalidateFunction } from '@remix-run/react';
import { AnnouncementForm, AnnouncementRows, SystemPage } from '#app/features/admin/index.ts';
import { announcementRow, announcementValues } from '#app/features/admin/system/system-pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { changeAnnouncementSchema } from '#app/domain/system/announcement.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { NO_ANSWER } from '#app/ui/connection/client-action.ts';
import { changeAnnouncement, getAnnouncement } from '#app/features/system/index.server.ts';

const PATH = '/admin/dashboard/system/announcements';

export const meta: MetaFunction = () => [{ title: 'Edit announcement – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, url, user }) => {
  const announcement = await getAnnouncement(ctx, url.searchParams.get('id') ?? '');
  const { timeZone } = user;
  return {
    row: announcementRow(announcement, ctx.now(), timeZone),
    values: announcementValues(announcement, timeZone),
    timeZone,
  };
});

export const action = forAdmins(async ({ request, ctx, url }) => {
  const { id } = await getAnnouncement(ctx, url.searchParams.get('id') ?? '');
  return submit(request, changeAnnouncementSchema, async (input) => {
    await changeAnnouncement(ctx, id, input);
    return done(PATH, 'Announcement saved');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Also after an error, so that the form continues from the current announcement. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus }) => actionStatus !== NO_ANSWER;

export default function EditAnnouncement() {
  const { row, values, timeZone } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  return (
    <SystemPage tab="announcements" title="Edit announcement">
      <AnnouncementRows rows={[row]} isAlone />
      <p className="max-w-prose text-soft">Readers who dismissed it will not see it again.</p>
      <AnnouncementForm key={values.revision} values={values} timeZone={timeZone} refused={refused} />
    </SystemPage>
  );
}
