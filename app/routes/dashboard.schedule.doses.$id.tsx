import { substanceUnitOf } from '#app/domain/calculator/calculation.ts';
import { blendOfDose, doseWords } from '#app/domain/vials/contents.ts';
import { moveHistoryTexts } from '#app/domain/doses/dose-line.ts';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { DosePage } from '#app/features/doses/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { getDosePage, submitDoseForm, type DoseReply } from '#app/features/doses/pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Dose – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params, url }) => {
  const { dose, line, missed, warnings, askedAmount, vials } = await getDosePage(ctx, params['id'] ?? '');
  const { doseAmount, doseUnit, site, draws, moveHistory } = dose;
  const blend = blendOfDose(dose);
  const drawn = draws.map(({ mg }) => doseWords(mg, substanceUnitOf(doseUnit), blend));
  return {
    path: url.pathname,
    line,
    planned: doseAmount,
    doseUnit,
    doseOf: blend?.doseOf ?? null,
    site,
    drawn,
    missed,
    history: moveHistoryTexts(moveHistory ?? [], ctx.timeZone),
    warnings,
    askedAmount,
    // The button on the Today page leads here with a question.
    isAsked: url.searchParams.has('ask'),
    vials,
  };
});

export const action = forPremiumUsers(submitDoseForm);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function OneDose() {
  const shown = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>() as DoseReply | undefined;
  return (
    <>
      <PageTitle>{shown.line.name}</PageTitle>
      <DosePage
        {...shown}
        warnings={reply?.warnings ?? shown.warnings}
        askedAmount={reply?.askedAmount ?? shown.askedAmount}
        isAsked={reply === undefined ? shown.isAsked : reply.isAsked === true}
        lastResult={reply?.lastResult}
      />
    </>
  );
}
