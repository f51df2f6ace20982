import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ConfirmEmail, EmailLinkOver } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { EMAIL_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { orWhenNotFound, forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { checkEmailLink, confirmEmail } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Confirm your email address – Vialbook' }];

const over = () => data({ link: null }, { status: 404 });

export const loader = forEveryone(({ ctx, params }) =>
  orWhenNotFound(async () => {
    return data({ link: await checkEmailLink(ctx, params.token ?? '') });
  }, over),
);

export const action = forEveryone(({ ctx, params }) =>
  orWhenNotFound(async () => {
    const link = await confirmEmail(ctx, params.token ?? '');
    const home = ctx.actor.kind === 'user' ? '/dashboard/profile' : '/login';
    throw await done(home, link === 'own-address' ? EMAIL_MESSAGES.confirmed : EMAIL_MESSAGES.done);
  }, over),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ConfirmEmailPage() {
  const { link } = useLoaderData<typeof loader>();
  const isRefused = useActionData<typeof action>() !== undefined;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {link === null || isRefused ? (
        <EmailLinkOver message={EMAIL_MESSAGES.over} />
      ) : (
        <ConfirmEmail isNew={link === 'new-address'} />
      )}
    </PublicShell>
  );
}
