import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ConfirmDelete } from '#app/components/tracking/confirm-delete.tsx';
import { done } from '#app/http/done.server.ts';
import { readNutritionDay } from '#app/http/nutrition-page.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { deleteNutrition } from '#app/services/nutrition.server.ts';

const BACK = '/dashboard/tracking/nutrition';

export const meta: MetaFunction = () => [{ title: 'Delete a day – Vialbook' }];

export const loader = forPremiumUsers(readNutritionDay);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteNutrition(ctx, params.id ?? '');
  throw await done(BACK, 'Day deleted');
});

/** The step before a day goes. */
export default function DeleteNutrition() {
  const { day, path } = useLoaderData<typeof loader>();
  return (
    <ConfirmDelete question={`Delete ${day.date}?`} action={path} cancelHref={BACK}>
      <p>{`${day.calories} kcal. Deleting cannot be undone.`}</p>
    </ConfirmDelete>
  );
}
