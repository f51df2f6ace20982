import { orFailed } from '#app/platform/http/failed-call.server.ts';
import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { scheduleHref } from '#app/features/schedules/index.ts';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { SCHEDULE_MESSAGES, toggleFormSchema } from '#app/domain/schedules/schedule-schema.ts';
import { submit, toErrorPage, done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { getSchedule, toggleSchedule } from '#app/features/schedules/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Pause or resume a schedule – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const { id, name, isActive } = await getSchedule(ctx, params.id ?? '');
  return { id, name, isActive };
});

export const action = forPremiumUsers(({ request, ctx, params }) =>
  submit(
    request,
    toggleFormSchema,
    async (input) => {
      const id = params.id ?? '';
      const before = await getSchedule(ctx, id);
      // Without a value, it toggles: pauses an active schedule and resumes a paused one.
      const isActive = input.isActive === undefined ? !before.isActive : input.isActive === 'true';
      await orFailed(ctx, SCHEDULE_MESSAGES.failedToUpdate, () => toggleSchedule(ctx, id, { isActive }));
      return done(scheduleHref(id), isActive ? SCHEDULE_MESSAGES.activated : SCHEDULE_MESSAGES.paused);
    },
    { refused: toErrorPage },
  ),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function PauseSchedule() {
  const { id, name, isActive } = useLoaderData<typeof loader>();
  return (
    <Confirmation
      title={isActive ? `Pause ${name}?` : `Resume ${name}?`}
      action={`${scheduleHref(id)}/pause`}
      yes={isActive ? 'Pause' : 'Resume'}
      variant="primary"
      no="Cancel"
      noHref={scheduleHref(id)}
      fields={<input type="hidden" name="isActive" value={isActive ? 'false' : 'true'} />}
    >
      <p>
        {isActive
          ? 'Its future doses and reminders are removed until you resume it. Past and logged doses stay.'
          : 'Its future doses and reminders are created again.'}
      </p>
    </Confirmation>
  );
}
