import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { TemplateList, TrackingPage } from '#app/features/tracking/index.ts';
import { templateFormSchema } from '#app/domain/tracking/side-effect-schema.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { addTemplate, listTemplates, removeTemplate } from '#app/features/tracking/index.server.ts';

const HERE = '/dashboard/tracking/side-effects/templates';

export const meta: MetaFunction = () => [{ title: 'Your templates – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => {
  const templates = await listTemplates(ctx);
  const namesOf = (own: boolean) => templates.filter(({ isOwn }) => isOwn === own).map(({ name }) => name);
  return { own: namesOf(true), builtIn: namesOf(false) };
});

export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, templateFormSchema, async ({ intent, ...input }) => {
    if (intent === 'remove') {
      await removeTemplate(ctx, input);
      return done(HERE, 'Template removed');
    }
    await addTemplate(ctx, input);
    return done(HERE, 'Template added');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Templates() {
  const { own, builtIn } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>()?.lastResult;
  const error = sent?.error?.['name']?.[0] ?? sent?.error?.['']?.[0];
  const name = sent?.initialValue?.['name'];
  return (
    <TrackingPage tab="side-effects" title="Your templates">
      <TemplateList own={own} builtIn={builtIn} error={error} name={typeof name === 'string' ? name : ''} />
    </TrackingPage>
  );
}
