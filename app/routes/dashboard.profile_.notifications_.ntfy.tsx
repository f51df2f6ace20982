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
import { NTFY_MESSAGES, ntfyTopicSchema } from '#app/domain/reminders/ntfy.ts';
import { formAgain, formText, readForm, runForm, done } from '#app/platform/http/forms.server.ts';
import { requireRecent } from '#app/platform/access/authorise.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'ntfy – Vialbook' }];

const PATH = '/dashboard/profile/notifications';

export const loader = forPremiumUsers(async ({ ctx }) => {
  // Before anything is typed, so that nothing is lost on the way through the password.
  requireRecent(ctx);
  return { topic: await findNtfyTopic(ctx) };
});

export const action = forPremiumUsers(async ({ request, ctx }) => {
  const form = await readForm(request);
  const intent = formText(form, 'intent');
  if (intent === 'test') {
    const reason = await sendNtfyTest(ctx);
    throw await done(`${PATH}/ntfy`, reason === null ? NTFY_MESSAGES.sent : `Not sent: ${reason}`);
  }
  if (intent === 'remove') {
    await deleteNtfyTopic(ctx);
    throw await done(PATH, NTFY_MESSAGES.removed);
  }
  // An empty field keeps the stored token.
  if (formText(form, 'token').trim() === '') form.delete('token');
  const submitted = await runForm(form, ntfyTopicSchema, (input) => setNtfyTopic(ctx, input));
  if (!submitted.ok) return formAgain(submitted);
  throw await done(PATH, NTFY_MESSAGES.saved);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NtfyTopic() {
  const { topic } = useLoaderData<typeof loader>();
  return (
    <ProfileSubPage title="ntfy">
      <NtfyForm topic={topic} lastResult={useActionData<typeof action>()?.lastResult} />
    </ProfileSubPage>
  );
}
