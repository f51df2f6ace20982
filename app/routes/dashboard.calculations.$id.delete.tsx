import { redirect, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { historyRow } from '#app/domain/history/history-row.ts';
import { DeleteConfirm } from '#app/components/history/index.ts';
import { flash } from '#app/http/flash.server.ts';
import { forUsers } from '#app/http/page.server.ts';
import { deleteCalculation, getCalculation } from '#app/services/calculations.server.ts';

const BACK = '/dashboard/calculator?history=1#history';

export const meta: MetaFunction = () => [{ title: 'Delete calculation – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, params, url }) => {
  const entry = await getCalculation(ctx, params.id ?? '');
  return { row: historyRow(entry, user.timeZone), path: url.pathname };
});

export const action = forUsers(async ({ ctx, params }) => {
  await deleteCalculation(ctx, params.id ?? '');
  throw redirect(BACK, { headers: { 'Set-Cookie': await flash('success', 'Calculation deleted') } });
});

/** The step before a saved calculation goes. */
export default function DeleteCalculation() {
  const { row, path } = useLoaderData<typeof loader>();
  return <DeleteConfirm row={row} action={path} cancelHref={BACK} />;
}
