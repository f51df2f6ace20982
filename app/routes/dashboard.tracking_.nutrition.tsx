import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { NutritionForm, NutritionList, TrackingPage } from '#app/features/tracking/index.ts';
import { NUTRIENTS, nutritionSchema } from '#app/domain/tracking/nutrition-schema.ts';
import { cleared } from '#app/platform/partial-changes.server.ts';
import { readNutritionPage } from '#app/features/tracking/nutrition/nutrition-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { saveNutrition } from '#app/features/tracking/index.server.ts';

const OPTIONAL = [...NUTRIENTS.map(({ key }) => key), 'notes' as const];

export const meta: MetaFunction = () => [{ title: 'Nutrition – Vialbook' }];

export const loader = forPremiumUsers(readNutritionPage);

export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, nutritionSchema, async (input) => {
    await saveNutrition(ctx, cleared(input, OPTIONAL));
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
