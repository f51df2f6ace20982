import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { scheduleHref, SchedulePage, TemplateForm } from '#app/features/schedules/index.ts';
import { saveTemplateSchema, TEMPLATE_MESSAGES } from '#app/domain/schedules/schedule-template-schema.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readSaveTemplatePage } from '#app/features/schedules/pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { getSchedule, saveAsTemplate } from '#app/features/schedules/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Save as template – Vialbook' }];

export const loader = forPremiumUsers(readSaveTemplatePage);

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const { id } = await getSchedule(ctx, params.id ?? '');
  return submit(request, saveTemplateSchema, async (input) => {
    await saveAsTemplate(ctx, id, input);
    return done('/dashboard/schedule/templates', TEMPLATE_MESSAGES.saved);
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function SaveAsTemplate() {
  const { id, name, saveKey } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <SchedulePage tab="schedules" title={`Save ${name} as a template`}>
      <p className="max-w-prose text-soft">
        A template keeps the dose, times and phases. You choose days, time zone and vial when you use it.
      </p>
      <TemplateForm
        action={`${scheduleHref(id)}/template`}
        cancelHref={scheduleHref(id)}
        title={name}
        saveKey={saveKey}
        lastResult={lastResult}
      />
    </SchedulePage>
  );
}
