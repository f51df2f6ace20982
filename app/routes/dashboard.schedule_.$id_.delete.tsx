import { orFailed } from '#app/platform/http/failed-call.server.ts';
import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { scheduleHref } from '#app/features/schedules/index.ts';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteSchedule, getSchedule } from '#app/features/schedules/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Delete schedule – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const { id, name } = await getSchedule(ctx, params.id ?? '');
  return { id, name };
});

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await orFailed(ctx, SCHEDULE_MESSAGES.failedToDelete, () => deleteSchedule(ctx, params.id ?? ''));
  throw await done('/dashboard/schedule/all', SCHEDULE_MESSAGES.deleted);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function DeleteSchedule() {
  const { id, name } = useLoaderData<typeof loader>();
  return (
    <Confirmation
      title={`Delete ${name}?`}
      action={`${scheduleHref(id)}/delete`}
      yes="Delete"
      no="Cancel"
      noHref={scheduleHref(id)}
    >
      <p>This permanently deletes the schedule and its pending doses.</p>
      <p>Taken, skipped and missed doses stay in your history.</p>
    </Confirmation>
  );
}
