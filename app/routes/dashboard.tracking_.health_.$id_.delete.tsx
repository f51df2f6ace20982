import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { readMeasurementPage } from '#app/features/tracking/health/health-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteMeasurement } from '#app/features/tracking/index.server.ts';

const BACK = '/dashboard/tracking/health#measurements';

export const meta: MetaFunction = () => [{ title: 'Delete measurement – Vialbook' }];

export const loader = forPremiumUsers(readMeasurementPage);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteMeasurement(ctx, params.id ?? '');
  throw await done(BACK, 'Measurement deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Asks before deleting a measurement. */
export default function DeleteMeasurement() {
  const { item, path } = useLoaderData<typeof loader>();
  return (
    <Confirmation title={`Delete ${item.name}, ${item.value}?`} action={path} yes="Delete" noHref={BACK}>
      <p>{`Measured ${item.when}. Deleting cannot be undone.`}</p>
    </Confirmation>
  );
}
