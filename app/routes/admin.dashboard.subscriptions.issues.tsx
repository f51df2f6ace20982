import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { IssueList, SubscriptionPage } from '#app/features/admin/index.ts';
import { Pagination } from '#app/ui/list-controls.tsx';
import { ISSUE_STATUSES } from '#app/domain/billing/billing-state.ts';
import { figureViews, issueView } from '#app/features/admin/subscriptions/subscription-pages.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { listBillingIssues, subscriptionFigures } from '#app/features/admin/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Billing issues – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user, url }) => {
  const { searchParams } = url;
  const status = ISSUE_STATUSES.find((one) => one === searchParams.get('status')) ?? 'open';
  const after = searchParams.get('after') ?? undefined;
  const [figures, { rows, next }] = await Promise.all([
    subscriptionFigures(ctx),
    listBillingIssues(ctx, status, after),
  ]);
  const to = (place: string | null) => pageAddress(url.pathname, searchParams, { after: place });
  return {
    status,
    figures: figureViews(figures),
    issues: rows.map((issue) => issueView(issue, user.timeZone)),
    newest: after === undefined ? undefined : to(null),
    older: next === null ? undefined : to(next),
  };
});

export default function AdminIssues() {
  const { status, figures, issues, newest, older } = useLoaderData<typeof loader>();
  return (
    <SubscriptionPage tab="issues" figures={figures}>
      <IssueList issues={issues} status={status} />
      <Pagination label="Billing issues" previousHref={newest} nextHref={older} />
    </SubscriptionPage>
  );
}
