import { orFailed } from '#app/platform/http/failed-call.server.ts';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ScheduleForm, scheduleHref, SchedulePage } from '#app/features/schedules/index.ts';
import { SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import { valuesOf } from '#app/domain/schedules/schedule-form-schema.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { getSchedule, updateSchedule } from '#app/features/schedules/index.server.ts';
import { scheduleFormOptions, submitScheduleForm } from '#app/features/schedules/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Edit schedule – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) => {
  const schedule = await getSchedule(ctx, params.id ?? '');
  const choices = await scheduleFormOptions(ctx, user, schedule);
  return { id: schedule.id, name: schedule.name, values: valuesOf(schedule), ...choices };
});

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const { id } = await getSchedule(ctx, params.id ?? '');
  const save = async (body: Record<string, unknown>) => {
    await orFailed(ctx, SCHEDULE_MESSAGES.failedToUpdate, () => updateSchedule(ctx, id, body));
    return done(`/dashboard/schedule/${id}`, SCHEDULE_MESSAGES.updated);
  };
  return submitScheduleForm(request, ctx, save, id);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditSchedule() {
  const { id, name, ...loaded } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <SchedulePage tab="schedules" title={`Edit ${name}`}>
      <p className="text-soft">Past and logged doses stay as they are. Future doses are updated.</p>
      <ScheduleForm
        action={`${scheduleHref(id)}/edit`}
        label="Save changes"
        pendingLabel="Saving..."
        failed={SCHEDULE_MESSAGES.failedToUpdate}
        cancelHref={scheduleHref(id)}
        {...loaded}
        {...sent}
      />
    </SchedulePage>
  );
}
