import { VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import { orFailed } from '#app/platform/http/failed-call.server.ts';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { VialForm, VialSubPage } from '#app/features/vials/index.ts';
import { vialFormSchema } from '#app/domain/vials/vial-schema.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { getVial, updateVial } from '#app/features/vials/index.server.ts';
import {
  confirmFutureDay,
  changedFields,
  valuesOf,
  writeOriginal,
} from '#app/features/vials/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Edit vial – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const vial = await getVial(ctx, params['id'] ?? '');
  const values = valuesOf(vial);
  return { id: vial.id, values, original: writeOriginal(values) };
});

export const action = forUsers(async ({ request, ctx, params }) => {
  const { id } = await getVial(ctx, params['id'] ?? '');
  return submit(request, vialFormSchema, async ({ original, confirmedDay, ...sent }) => {
    const changes = changedFields(sent, original);
    confirmFutureDay(ctx, changes.reconstitutionDate, confirmedDay);
    await orFailed(ctx, VIAL_MESSAGES.failedToUpdate, () => updateVial(ctx, id, changes));
    return done(`/dashboard/vials/${id}`, 'Vial updated');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditVial() {
  const { id, values, original } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const path = `/dashboard/vials/${id}`;
  const sent = lastResult?.initialValue?.['original'];
  return (
    <VialSubPage title="Edit vial" backHref={path} backText="Back to the vial">
      <VialForm
        action={`${path}/edit`}
        cancelHref={path}
        values={values}
        original={typeof sent === 'string' ? sent : original}
        submitLabel="Save changes"
        lastResult={lastResult}
      />
    </VialSubPage>
  );
}
