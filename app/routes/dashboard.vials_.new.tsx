import { randomUUID } from 'node:crypto';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PlanLimitNotice, TemplateLinks, VialForm, VialSubPage } from '#app/features/vials/index.ts';
import { PLAN_LIMIT_MESSAGE } from '#app/domain/billing/plans.ts';
import { vialFormSchema } from '#app/domain/vials/vial-schema.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { addVial, hasRoom } from '#app/features/vials/index.server.ts';
import { askAboutDayToCome, newVialValues, VIAL_TEMPLATES } from '#app/features/vials/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { formAgain, submitForm } from '#app/platform/http/forms.server.ts';

const ACTION = '/dashboard/vials/new';

export const meta: MetaFunction = () => [{ title: 'Add vial – Vialbook' }];

export const loader = forUsers(async ({ ctx, url }) => ({
  values: await newVialValues(ctx, url.searchParams),
  templates: VIAL_TEMPLATES,
  idempotencyKey: randomUUID(),
  hasRoom: await hasRoom(ctx),
}));

export const action = forUsers(async ({ request, ctx }) => {
  const submitted = await submitForm(
    request,
    vialFormSchema,
    ({ idempotencyKey, original: _unused, confirmedDay, ...input }) => {
      askAboutDayToCome(ctx, input.reconstitutionDate, confirmedDay);
      return addVial(ctx, input, { idempotencyKey });
    },
  );
  if (!submitted.ok) return formAgain(submitted);
  throw await done(`/dashboard/vials/${submitted.value.id}`, 'Vial added');
});

export default function NewVial() {
  const { values, templates, idempotencyKey, hasRoom: room } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <VialSubPage title="Add vial" backHref="/dashboard/vials" backText="Back to vials">
      {room || lastResult ? (
        <>
          <TemplateLinks templates={templates} />
          <VialForm
            key={JSON.stringify(values)}
            action={ACTION}
            cancelHref="/dashboard/vials"
            values={values}
            idempotencyKey={idempotencyKey}
            submitLabel="Add vial"
            lastResult={lastResult}
          />
        </>
      ) : (
        <PlanLimitNotice message={PLAN_LIMIT_MESSAGE} />
      )}
    </VialSubPage>
  );
}
