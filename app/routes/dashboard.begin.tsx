import { orFailed } from '#app/platform/http/failed-call.server.ts';
import { randomUUID } from 'node:crypto';
import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { BEGIN_PATH, readFirstStep } from '#app/domain/accounts/account.ts';
import { AppError } from '#app/domain/errors.ts';
import { keepCalculationSchema } from '#app/domain/calculator/history.ts';
import { SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import { NotificationsForm } from '#app/features/accounts/index.ts';
import { submitNotifications } from '#app/features/accounts/profile-pages.server.ts';
import { keepCarriedCalculation, readCarriedCalculation } from '#app/features/calculator/pages.server.ts';
import { LazyScheduleForm } from '#app/features/schedules/index.ts';
import { createSchedule } from '#app/features/schedules/index.server.ts';
import {
  readNewScheduleValues,
  scheduleFormOptions,
  submitScheduleForm,
} from '#app/features/schedules/pages.server.ts';
import { BeginPage, CarriedCalculation } from '#app/features/site/index.ts';
import { readBeginPage, skipFromPage } from '#app/features/site/pages.server.ts';
import { VialForm } from '#app/features/vials/index.ts';
import { readNewVial, submitNewVial } from '#app/features/vials/pages.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { submit, toErrorPage, done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getNotificationChoices } from '#app/platform/mail/notification-choices.server.ts';

export const meta: MetaFunction = () => [{ title: 'First steps – Vialbook' }];

/** The first steps of a new account; the address may carry a calculation from before registration. */
export const loader = forUsers(async (page) => {
  const { ctx, user, url } = page;
  const view = await readBeginPage(page);
  return {
    view,
    action: pageAddress(BEGIN_PATH, url.searchParams, { step: view.current, do: null }),
    keepAction: pageAddress(BEGIN_PATH, url.searchParams, { do: 'keep' }),
    calculation: readCarriedCalculation(url.searchParams, user),
    isKept: url.searchParams.has('kept'),
    saveKey: randomUUID(),
    vial: view.current === 'vial' ? await readNewVial(page) : null,
    plan:
      view.current === 'plan'
        ? {
            values: await readNewScheduleValues(ctx, user, url),
            ...(await scheduleFormOptions(ctx, user)),
          }
        : null,
    choices: view.current === 'reminders' ? await getNotificationChoices(ctx, user.id) : null,
  };
});

/** Handles the form of the step named in the address, or what `?do=` names: skip it, or keep the calculation. */
export const action = forUsers(async (page) => {
  const { request, ctx, url } = page;
  const next = (changes: Record<string, string> = {}) =>
    pageAddress(BEGIN_PATH, url.searchParams, { step: null, do: null, ...changes });
  switch (url.searchParams.get('do')) {
    case 'skip':
      return skipFromPage(page);
    case 'keep':
      return submit(
        request,
        keepCalculationSchema,
        async ({ saveKey }) => {
          await keepCarriedCalculation(ctx, url.searchParams, saveKey);
          return done(next({ kept: '1' }), 'Calculation saved');
        },
        { refused: toErrorPage },
      );
  }
  switch (readFirstStep(url.searchParams.get('step'))) {
    case 'vial':
      return submitNewVial(page, (vial) => next({ vial }));
    case 'plan':
      return submitScheduleForm(request, ctx, async (body) => {
        await orFailed(ctx, SCHEDULE_MESSAGES.failedToCreate, () => createSchedule(ctx, body));
        return done(next(), SCHEDULE_MESSAGES.created);
      });
    case 'reminders':
      return submitNotifications(page, next());
    case null:
      throw new AppError('INVALID_INPUT', 'Choose one of the steps.');
  }
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Begin() {
  const {
    view,
    action: at,
    keepAction,
    calculation,
    isKept,
    saveKey,
    vial,
    plan,
    choices,
  } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  const lastResult = sent?.lastResult;
  return (
    <BeginPage
      view={view}
      calculation={
        calculation ? (
          <CarriedCalculation
            summary={calculation.summary}
            action={keepAction}
            saveKey={saveKey}
            isKept={isKept}
            isSessionOnly={!view.isPremium}
          />
        ) : null
      }
    >
      {vial ? (
        <VialForm
          key={JSON.stringify(vial.values)}
          action={at}
          values={vial.values}
          idempotencyKey={vial.idempotencyKey}
          submitLabel="Add vial"
          lastResult={lastResult}
        />
      ) : null}
      {plan ? (
        <LazyScheduleForm
          action={at}
          label="Create schedule"
          pendingLabel="Creating..."
          failed={SCHEDULE_MESSAGES.failedToCreate}
          {...plan}
          {...(sent && 'values' in sent ? sent : {})}
        />
      ) : null}
      {choices ? (
        <NotificationsForm
          action={at}
          topicPlace="in your profile"
          choices={choices}
          lastResult={lastResult}
        />
      ) : null}
    </BeginPage>
  );
}
