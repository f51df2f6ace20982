import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { shownDay } from '#app/domain/time/calendar.ts';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { readNutritionDay } from '#app/features/tracking/nutrition/nutrition-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteNutrition } from '#app/features/tracking/index.server.ts';

const BACK = '/dashboard/tracking/nutrition';

export const meta: MetaFunction = () => [{ title: 'Delete a day – Vialbook' }];

export const loader = forPremiumUsers(readNutritionDay);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteNutrition(ctx, params.id ?? '');
  throw await done(BACK, 'Day deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Asks before deleting a day. */
export default function DeleteNutrition() {
  const { day, path } = useLoaderData<typeof loader>();
  return (
    <Confirmation title={`Delete ${shownDay(day.date)}?`} action={path} yes="Delete" noHref={BACK}>
      <p>{`${day.calories === '–' ? '' : `${day.calories} kcal. `}Deleting cannot be undone.`}</p>
    </Confirmation>
  );
}
