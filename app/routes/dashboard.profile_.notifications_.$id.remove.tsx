import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { PUSH_MESSAGES } from '#app/domain/reminders/push-schema.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getPushBrowser, removePushBrowser } from '#app/features/reminders/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Turn off push notifications – Vialbook' }];

const LIST = '/dashboard/profile/notifications';

export const loader = forUsers(async ({ ctx, params }) => {
  const { id, browser } = await getPushBrowser(ctx, params.id ?? '');
  return { id, browser };
});

export const action = forUsers(async ({ ctx, params }) => {
  await removePushBrowser(ctx, params.id ?? '');
  throw await done(LIST, PUSH_MESSAGES.unsubscribed);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function TurnOffPush() {
  const { id, browser } = useLoaderData<typeof loader>();
  return (
    <Confirmation
      title="Turn off push notifications?"
      action={`${LIST}/${id}/remove`}
      yes="Turn off"
      no="Keep it on"
      noHref={LIST}
    >
      <p className="font-semibold break-words">{browser}</p>
      <p className="text-soft">This browser will no longer receive push notifications.</p>
    </Confirmation>
  );
}
