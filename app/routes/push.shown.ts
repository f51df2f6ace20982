import { redirect } from '@remix-run/node';
import { pushShownSchema } from '#app/domain/reminders/push-schema.ts';
import { confirmPushShown } from '#app/features/reminders/index.server.ts';
import { submit, toErrorPage } from '#app/platform/http/forms.server.ts';
import { withoutPage, withoutSessionFile } from '#app/platform/http/route-handlers.server.ts';

/** There is nothing to see here. */
export const loader = withoutPage(() => redirect('/login'));

/** The service worker's confirmation that it showed a push. */
export const action = withoutSessionFile(({ request, ctx }) =>
  submit(
    request,
    pushShownSchema,
    async ({ token }) => {
      await confirmPushShown(ctx, token);
      return new Response(null, { status: 204 });
    },
    { refused: toErrorPage },
  ),
);
