import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ForgotPasswordForm } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { forgotPasswordSchema } from '#app/domain/accounts/account-schema.ts';
import { forVisitors } from '#app/platform/http/route-handlers.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { askForPasswordReset } from '#app/features/accounts/index.server.ts';

/** Shown whether or not the address has an account. */
const LINK_SENT =
  'If there is an account with this email address, we have sent a link to it. The link works for 30 minutes.';

export const meta = publicMeta(
  '/forgot-password',
  'Forgot password – Vialbook',
  'Get a link by email to choose a new password.',
);

export const loader = forVisitors(({ url }) => ({
  answer: url.searchParams.has('sent') ? LINK_SENT : null,
}));

/** The answer is the same for every address. */
export const action = forVisitors(({ request, ctx }) =>
  submit(request, forgotPasswordSchema, async (input) => {
    await askForPasswordReset(ctx, input);
    return redirect('/forgot-password?sent=1');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';
import { publicMeta } from '#app/ui/public-meta.ts';

export default function ForgotPassword() {
  const { answer } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      <ForgotPasswordForm lastResult={lastResult} answer={answer ?? undefined} />
    </PublicShell>
  );
}
