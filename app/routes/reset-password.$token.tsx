import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ResetLinkOver, ResetPasswordForm } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { RESET_LINK_OVER } from '#app/domain/accounts/account.ts';
import { resetPasswordSchema } from '#app/domain/accounts/account-schema.ts';
import { orWhenNotFound, forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { checkResetLink, resetPassword } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Choose a new password – Vialbook' }];

const over = () => data({ isOver: true, lastResult: null }, { status: 404 });

export const loader = forEveryone(({ ctx, params }) =>
  orWhenNotFound(async () => {
    await checkResetLink(ctx, params.token ?? '');
    return data({ isOver: false });
  }, over),
);

export const action = forEveryone(({ request, ctx, params }) =>
  orWhenNotFound(async () => {
    return submit(request, resetPasswordSchema, async (input) => {
      await resetPassword(ctx, params.token ?? '', input);
      return done('/login', 'Password changed. Sign in with the new one.');
    });
  }, over),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ResetPassword() {
  const { isOver } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {isOver ? <ResetLinkOver message={RESET_LINK_OVER} /> : <ResetPasswordForm lastResult={lastResult} />}
    </PublicShell>
  );
}
