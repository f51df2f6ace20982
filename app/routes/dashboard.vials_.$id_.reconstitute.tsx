import { redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ReconstituteForm, VialSubPage } from '#app/features/vials/index.ts';
import { reconstituteFormSchema } from '#app/domain/vials/vial-schema.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { reconstituteVial, getVial } from '#app/features/vials/index.server.ts';
import { confirmFutureDay, reconstituteValues } from '#app/features/vials/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Reconstitute – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const vial = await getVial(ctx, params['id'] ?? '');
  if (vial.reconstitutionDate !== null || vial.status === 'discarded')
    throw redirect(`/dashboard/vials/${vial.id}`);
  const values = reconstituteValues(vial, calendarDay(ctx.now(), ctx.timeZone));
  return { id: vial.id, name: vial.name, total: vial.totalAmount, values };
});

export const action = forUsers(async ({ request, ctx, params }) => {
  const { id } = await getVial(ctx, params['id'] ?? '');
  return submit(request, reconstituteFormSchema, async ({ confirmedDay, ...input }) => {
    confirmFutureDay(ctx, input.reconstitutionDate, confirmedDay);
    await reconstituteVial(ctx, id, input);
    return done(`/dashboard/vials/${id}`, 'Vial reconstituted');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Reconstitute() {
  const { id, name, total, values } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const path = `/dashboard/vials/${id}`;
  return (
    <VialSubPage title={`Reconstitute ${name}`} backHref={path} backText="Back to the vial">
      <p>{`The vial holds ${total} mg.`}</p>
      <ReconstituteForm action={`${path}/reconstitute`} values={values} lastResult={lastResult} />
    </VialSubPage>
  );
}
