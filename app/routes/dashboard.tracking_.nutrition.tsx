import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { NutritionForm, NutritionList, TrackingPage } from '#app/features/tracking/index.ts';
import { nutritionSchema, nutritionValuesOf } from '#app/domain/tracking/nutrition-schema.ts';
import { readNutritionPage } from '#app/features/tracking/nutrition/nutrition-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { saveNutrition } from '#app/features/tracking/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Nutrition – Vialbook' }];

export const loader = forPremiumUsers(readNutritionPage);

export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, nutritionSchema, async (input) => {
    // The form shows all fields: an empty one clears its value.
    await saveNutrition(ctx, { ...input, ...nutritionValuesOf(input) });
    return done('/dashboard/tracking/nutrition', 'Day saved');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NutritionPage() {
  const { values, isThere, days, means, pages } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <TrackingPage tab="nutrition" title="Nutrition">
      <div className="sheet p-4">
        <NutritionForm
          key={JSON.stringify(values)}
          values={values}
          isThere={isThere}
          lastResult={lastResult}
        />
      </div>
      <NutritionList days={days} means={means} {...pages} />
    </TrackingPage>
  );
}
