import { VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import { orFailed } from '#app/platform/http/failed-call.server.ts';
import { redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ReconstituteForm, VialSubPage } from '#app/features/vials/index.ts';
import { isReadyMade, measureOf } from '#app/domain/vials/vial.ts';
import { inOneMeasure, reconstituteFormSchema } from '#app/domain/vials/vial-schema.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { reconstituteVial, getVial } from '#app/features/vials/index.server.ts';
import { confirmFutureDay, reconstituteValues } from '#app/features/vials/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Reconstitute – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const vial = await getVial(ctx, params['id'] ?? '');
  if (isReadyMade(vial) || vial.reconstitutionDate !== null || vial.status === 'discarded')
    throw redirect(`/dashboard/vials/${vial.id}`);
  const values = reconstituteValues(vial, calendarDay(ctx.now(), ctx.timeZone));
  return { id: vial.id, name: vial.name, total: vial.totalAmount, unit: measureOf(vial), values };
});

export const action = forUsers(async ({ request, ctx, params }) => {
  const vial = await getVial(ctx, params['id'] ?? '');
  const { id } = vial;
  return submit(
    request,
    inOneMeasure(reconstituteFormSchema, measureOf(vial)),
    async ({ confirmedDay, ...input }) => {
      confirmFutureDay(ctx, input.reconstitutionDate, confirmedDay);
      await orFailed(ctx, VIAL_MESSAGES.failedToUpdate, () => reconstituteVial(ctx, id, input));
      return done(`/dashboard/vials/${id}`, 'Vial reconstituted');
    },
  );
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Reconstitute() {
  const { id, name, total, unit, values } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const path = `/dashboard/vials/${id}`;
  return (
    <VialSubPage title={`Reconstitute ${name}`} backHref={path} backText="Back to the vial">
      <p>{`The vial holds ${total} ${unit}.`}</p>
      <ReconstituteForm action={`${path}/reconstitute`} values={values} unit={unit} lastResult={lastResult} />
    </VialSubPage>
  );
}
