import { randomUUID } from 'node:crypto';
import type { MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { ContactForm } from '#app/features/admin/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { ISSUE_TEMPLATES } from '#app/domain/billing/billing-mails.ts';
import { contactUserSchema, type ContactUserInput } from '#app/domain/admin/admin-schema.ts';
import { issueView } from '#app/features/admin/subscriptions/subscription-pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { contactUser, getBillingIssue, previewContact } from '#app/features/admin/index.server.ts';

const TEMPLATES = Object.entries(ISSUE_TEMPLATES).map(([value, { label }]) => ({ value, label }));

type Template = ContactUserInput['template'];

export const meta: MetaFunction = () => [{ title: 'Contact user – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user, params, url }) => {
  const issue = await getBillingIssue(ctx, params.id ?? '');
  const { href, type } = issueView(issue, user.timeZone);
  // The schema checks the value.
  const template = (url.searchParams.get('template') ?? type) as Template;
  const note = url.searchParams.get('note') ?? '';
  const { to, subject, text } = await previewContact(ctx, issue.id, { template, note });
  return { href, values: { template, note, saveKey: randomUUID() }, preview: { to, subject, text } };
});

export const action = forAdmins(async ({ request, ctx, params }) => {
  const { id } = await getBillingIssue(ctx, params.id ?? '');
  return submit(request, contactUserSchema, async (input) => {
    await contactUser(ctx, id, input);
    return done(`/admin/dashboard/subscriptions/issues/${encodeURIComponent(id)}`, 'Mail sent');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ContactUser() {
  const { href, values, preview } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  return (
    <>
      <PageTitle
        actions={
          <Link to={href} className="inline-flex min-h-11 items-center">
            Back
          </Link>
        }
      >
        Contact User
      </PageTitle>
      <div className="grid gap-6">
        <ContactForm templates={TEMPLATES} values={values} preview={preview} refused={refused} />
      </div>
    </>
  );
}
