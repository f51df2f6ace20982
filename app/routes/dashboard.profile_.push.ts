import { submit, toErrorPage } from '#app/platform/http/forms.server.ts';
import { pushFormSchema } from '#app/domain/reminders/push-schema.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { pushPublicKey, subscribeBrowser } from '#app/features/reminders/index.server.ts';

/** What a browser needs to subscribe to this server. */
export const loader = forUsersFile(async ({ ctx }) => Response.json({ publicKey: await pushPublicKey(ctx) }));

/** Subscribes the browser that sends this. */
export const action = forUsersFile(({ request, ctx }) =>
  submit(
    request,
    pushFormSchema,
    async (input) => {
      await subscribeBrowser(ctx, input);
      return Response.json({ subscribed: true });
    },
    { refused: toErrorPage },
  ),
);
