import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { TEMPLATE_MESSAGES } from '#app/domain/schedules/schedule-template-schema.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteTemplate, getTemplate } from '#app/features/schedules/index.server.ts';

const BACK = '/dashboard/schedule/templates';

export const meta: MetaFunction = () => [{ title: 'Delete template – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const { id, title } = await getTemplate(ctx, params.id ?? '');
  return { id, title };
});

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteTemplate(ctx, params.id ?? '');
  throw await done(BACK, TEMPLATE_MESSAGES.deleted);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function DeleteTemplate() {
  const { id, title } = useLoaderData<typeof loader>();
  return (
    <Confirmation
      title={`Delete the template ${title}?`}
      action={`${BACK}/${id}/delete`}
      yes="Delete"
      no="Cancel"
      noHref={BACK}
    >
      <p>Schedules created from it stay as they are.</p>
    </Confirmation>
  );
}
