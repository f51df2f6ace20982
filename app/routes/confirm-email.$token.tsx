import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ConfirmEmail, EmailLinkOver } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { EMAIL_MESSAGES } from '#app/domain/accounts/email-change-schema.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { orWhenNotFound, forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { checkEmailLink, confirmEmailChange } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Confirm your new address – Vialbook' }];

const over = () => data({ isOver: true }, { status: 404 });

export const loader = forEveryone(({ ctx, params }) =>
  orWhenNotFound(async () => {
    await checkEmailLink(ctx, params.token ?? '');
    return data({ isOver: false });
  }, over),
);

export const action = forEveryone(({ ctx, params }) =>
  orWhenNotFound(async () => {
    await confirmEmailChange(ctx, params.token ?? '');
    throw await done(ctx.actor.kind === 'user' ? '/dashboard/profile' : '/login', EMAIL_MESSAGES.done);
  }, over),
);

export default function ConfirmEmailPage() {
  const { isOver } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>()?.isOver ?? false;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {isOver || refused ? <EmailLinkOver message={EMAIL_MESSAGES.over} /> : <ConfirmEmail />}
    </PublicShell>
  );
}
