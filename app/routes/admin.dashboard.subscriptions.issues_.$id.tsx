import type { MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { IssueDetail } from '#app/features/admin/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { issueFormSchema } from '#app/domain/admin/admin-schema.ts';
import { issueView } from '#app/features/admin/subscriptions/subscription-pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { escalateIssue, getBillingIssue, resolveIssue } from '#app/features/admin/index.server.ts';

const PATH = '/admin/dashboard/subscriptions/issues';

const STEPS = {
  escalate: { run: escalateIssue, message: 'Issue escalated' },
  resolve: { run: resolveIssue, message: 'Issue resolved' },
} as const;

export const meta: MetaFunction = () => [{ title: 'Billing issue – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user, params }) => ({
  issue: issueView(await getBillingIssue(ctx, params.id ?? ''), user.timeZone),
}));

export const action = forAdmins(({ request, ctx, params }) =>
  submit(request, issueFormSchema, async ({ step, list, ...input }) => {
    const id = params.id ?? '';
    const { run, message } = STEPS[step];
    await run(ctx, id, input);
    // Back to the list it was opened from, with the next issue.
    return done(list === undefined ? `${PATH}/${encodeURIComponent(id)}` : `${PATH}?status=${list}`, message);
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function AdminIssue() {
  const { issue } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  return (
    <>
      <PageTitle
        actions={
          <Link to={PATH} className="inline-flex min-h-11 items-center">
            All issues
          </Link>
        }
      >
        Billing issue
      </PageTitle>
      <IssueDetail issue={issue} refused={refused} />
    </>
  );
}
