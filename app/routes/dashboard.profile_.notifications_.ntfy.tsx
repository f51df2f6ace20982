import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ProfileSubPage } from '#app/features/accounts/index.ts';
import { NtfyForm } from '#app/features/reminders/index.ts';
import {
  deleteNtfyTopic,
  findNtfyTopic,
  sendNtfyTest,
  setNtfyTopic,
} from '#app/features/reminders/index.server.ts';
import { NTFY_MESSAGES, ntfyFormSchema } from '#app/domain/reminders/ntfy.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { requireRecent } from '#app/platform/access/authorise.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'ntfy – Vialbook' }];

const PATH = '/dashboard/profile/notifications';

export const loader = forPremiumUsers(async ({ ctx }) => {
  // Before anything is typed, so that nothing is lost on the way through the password.
  requireRecent(ctx);
  return { topic: await findNtfyTopic(ctx) };
});

export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, ntfyFormSchema, async (input) => {
    switch (input.intent) {
      case 'test': {
        const reason = await sendNtfyTest(ctx);
        return done(`${PATH}/ntfy`, reason === null ? NTFY_MESSAGES.sent : `Not sent: ${reason}`);
      }
      case 'remove':
        await deleteNtfyTopic(ctx);
        return done(PATH, NTFY_MESSAGES.removed);
      default: {
        const { url, token } = input;
        // An empty field keeps the stored token.
        await setNtfyTopic(ctx, token?.trim() ? { url, token } : { url });
        return done(PATH, NTFY_MESSAGES.saved);
      }
    }
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NtfyTopic() {
  const { topic } = useLoaderData<typeof loader>();
  return (
    <ProfileSubPage title="ntfy">
      <NtfyForm topic={topic} lastResult={useActionData<typeof action>()?.lastResult} />
    </ProfileSubPage>
  );
}
