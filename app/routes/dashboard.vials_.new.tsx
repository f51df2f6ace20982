import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import {
  PlanLimitNotice,
  TemplateLinks,
  VialForm,
  VialRoomLine,
  VialSubPage,
} from '#app/features/vials/index.ts';
import { PLAN_LIMIT_MESSAGE } from '#app/domain/billing/plans.ts';
import { readNewVial, submitNewVial, VIAL_TEMPLATES } from '#app/features/vials/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

const ACTION = '/dashboard/vials/new';

export const meta: MetaFunction = () => [{ title: 'Add vial – Vialbook' }];

export const loader = forUsers(async (page) => ({ ...(await readNewVial(page)), templates: VIAL_TEMPLATES }));

export const action = forUsers((page) => submitNewVial(page, (id) => `/dashboard/vials/${id}`));

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewVial() {
  const { values, templates, idempotencyKey, room } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <VialSubPage title="Add vial" backHref="/dashboard/vials" backText="Back to vials">
      {room === null || room.used < room.limit || lastResult ? (
        <>
          <VialRoomLine room={room} />
          <TemplateLinks templates={templates} />
          <VialForm
            key={JSON.stringify(values)}
            action={ACTION}
            cancelHref="/dashboard/vials"
            values={values}
            idempotencyKey={idempotencyKey}
            submitLabel="Add vial"
            lastResult={lastResult}
          />
        </>
      ) : (
        <PlanLimitNotice message={PLAN_LIMIT_MESSAGE} />
      )}
    </VialSubPage>
  );
}
