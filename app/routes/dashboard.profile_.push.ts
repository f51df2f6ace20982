import { formText, readForm } from '#app/platform/http/forms.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { pushPublicKey, subscribeBrowser } from '#app/features/reminders/index.server.ts';

/** What a browser needs to subscribe to this server. */
export const loader = forUsersFile(async ({ ctx }) => Response.json({ publicKey: await pushPublicKey(ctx) }));

/** Subscribes the browser that sends this. */
export const action = forUsersFile(async ({ request, ctx }) => {
  const form = await readForm(request);
  const [endpoint, p256dh, auth] = ['endpoint', 'p256dh', 'auth'].map((name) => formText(form, name));
  await subscribeBrowser(ctx, { endpoint: endpoint ?? '', p256dh: p256dh ?? '', auth: auth ?? '' });
  return Response.json({ subscribed: true });
});
