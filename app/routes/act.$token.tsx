import { data, redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ActLinkOver, ActPage } from '#app/features/reminders/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { actDose, LINK_IS_OVER } from '#app/domain/reminders/reminder-link.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { actSchema } from '#app/domain/reminders/reminder-schema.ts';
import { orWhenNotFound, forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { actOnLink, openActLink } from '#app/features/reminders/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Your dose – Vialbook' }];

const over = () => data({ dose: null, rows: [] }, { status: 404 });

export const loader = forEveryone(({ ctx, params }) =>
  orWhenNotFound(async () => {
    const { dose, rows, ...facts } = await openActLink(ctx, params.token ?? '');
    return data({ dose: actDose(dose, facts), rows });
  }, over),
);

/** Carries out the chosen action, once. */
export const action = forEveryone(({ request, ctx, params }) =>
  orWhenNotFound(
    () =>
      submit(request, actSchema, async (input) => {
        const outcome = await actOnLink(ctx, params.token ?? '', input);
        if ('did' in outcome) return redirect(`/act/done?did=${outcome.did}`);
        const { ids, takenAt = '' } = input;
        return data({ ids, takenAt, questions: outcome.questions }, { status: 409 });
      }),
    over,
  ),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ActOnDose() {
  const { dose, rows } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const errors = answer && 'lastResult' in answer ? answer.lastResult.error : null;
  const dueDate = errors?.['dueDate']?.[0];
  const other = Object.values(errors ?? {}).flat()[0] ?? undefined;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {dose === null || (answer && 'dose' in answer) ? (
        <ActLinkOver message={LINK_IS_OVER} />
      ) : (
        <ActPage
          dose={dose}
          rows={rows}
          {...(answer && 'questions' in answer && { asked: answer })}
          errors={{ dueDate, other: dueDate === undefined ? other : undefined }}
        />
      )}
    </PublicShell>
  );
}
