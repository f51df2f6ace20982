import type { MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { IssueDetail } from '#app/features/admin/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { AppError } from '#app/domain/errors.ts';
import { ISSUE_STATUSES } from '#app/domain/billing/billing-state.ts';
import type { ChangeIssueInput } from '#app/domain/admin/admin-schema.ts';
import { issueView } from '#app/features/admin/subscriptions/subscription-pages.server.ts';
import { formText, tryForm, done } from '#app/platform/http/forms.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { escalateIssue, getBillingIssue, resolveIssue } from '#app/features/admin/index.server.ts';

const PATH = '/admin/dashboard/subscriptions/issues';

const STEPS = {
  escalate: { run: escalateIssue, message: 'Issue escalated' },
  resolve: { run: resolveIssue, message: 'Issue resolved' },
} as const;

/** @throws AppError INVALID_INPUT for any other name */
function stepOf(name: string) {
  if (name === 'escalate' || name === 'resolve') return STEPS[name];
  throw new AppError('INVALID_INPUT', 'Choose what to do with this issue.');
}

export const meta: MetaFunction = () => [{ title: 'Billing issue – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user, params }) => ({
  issue: issueView(await getBillingIssue(ctx, params.id ?? ''), user.timeZone),
}));

export const action = forAdmins(async ({ request, ctx, params }) => {
  const tried = await tryForm(request, async (form) => {
    const id = params.id ?? '';
    // The schema checks the value.
    const seen = formText(form, 'seen') as ChangeIssueInput['seen'];
    const input = { seen, reason: formText(form, 'reason') };
    const { run, message } = stepOf(formText(form, 'step'));
    await run(ctx, id, input);
    // Back to the list it was opened from, with the next issue.
    const list = ISSUE_STATUSES.find((status) => status === formText(form, 'list'));
    const back = list === undefined ? `${PATH}/${encodeURIComponent(id)}` : `${PATH}?status=${list}`;
    return { message, back };
  });
  if (!tried.ok) return tried.answer;
  throw await done(tried.value.back, tried.value.message);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function AdminIssue() {
  const { issue } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
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
