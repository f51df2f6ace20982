import { orFailed } from '#app/platform/http/failed-call.server.ts';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { ScheduleForm, SchedulePage } from '#app/features/schedules/index.ts';
import { SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import {
  readNewScheduleValues,
  scheduleFormOptions,
  submitScheduleForm,
} from '#app/features/schedules/pages.server.ts';
import { createSchedule } from '#app/features/schedules/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'New schedule – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, url }) => ({
  values: await readNewScheduleValues(ctx, user, url),
  ...(await scheduleFormOptions(ctx, user)),
}));

export const action = forPremiumUsers(({ request, ctx }) =>
  submitScheduleForm(request, ctx, async (body) => {
    const { id } = await orFailed(ctx, SCHEDULE_MESSAGES.failedToCreate, () => createSchedule(ctx, body));
    return done(`/dashboard/schedule/${id}`, SCHEDULE_MESSAGES.created);
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewSchedule() {
  const loaded = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <SchedulePage
      tab="schedules"
      title="New schedule"
      actions={<LinkButton to="/dashboard/schedule/templates">Templates</LinkButton>}
    >
      <ScheduleForm
        action="/dashboard/schedule/new"
        label="Create schedule"
        pendingLabel="Creating..."
        failed={SCHEDULE_MESSAGES.failedToCreate}
        cancelHref="/dashboard/schedule/all"
        {...loaded}
        {...sent}
      />
    </SchedulePage>
  );
}
