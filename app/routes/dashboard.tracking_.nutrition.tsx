import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { NutritionForm } from '#app/components/tracking/nutrition/nutrition-form.tsx';
import { NutritionList } from '#app/components/tracking/nutrition/nutrition-list.tsx';
import { TrackingPage } from '#app/components/tracking/tracking-page.tsx';
import { NUTRIENTS, nutritionSchema } from '#app/domain/schemas/nutrition.ts';
import { cleared } from '#app/http/cleared.ts';
import { done } from '#app/http/done.server.ts';
import { readNutritionPage } from '#app/http/nutrition-page.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { formAgain, submitForm } from '#app/http/submit-form.server.ts';
import { saveNutrition } from '#app/services/nutrition.server.ts';

const OPTIONAL = [...NUTRIENTS.map(({ key }) => key), 'notes' as const];

export const meta: MetaFunction = () => [{ title: 'Nutrition – Vialbook' }];

export const loader = forPremiumUsers(readNutritionPage);

export const action = forPremiumUsers(async ({ request, ctx }) => {
  const submitted = await submitForm(request, nutritionSchema, (input) =>
    saveNutrition(ctx, cleared(input, OPTIONAL)),
  );
  if (!submitted.ok) return formAgain(submitted);
  throw await done('/dashboard/tracking/nutrition', 'Day saved');
});

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
