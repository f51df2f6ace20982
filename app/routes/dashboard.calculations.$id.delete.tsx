import { data, redirect, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { deleteCalculationSchema, historyRow } from '#app/domain/calculator/history.ts';
import { DeleteConfirm } from '#app/features/calculator/index.ts';
import { isAppError } from '#app/domain/errors.ts';
import { submit, toErrorPage, flash } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { deleteCalculation, getCalculation } from '#app/features/calculator/index.server.ts';

const BACK = '/dashboard/calculator?history=1#history';

export const meta: MetaFunction = () => [{ title: 'Delete calculation – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, params, url }) => {
  const entry = await getCalculation(ctx, params.id ?? '');
  return { row: historyRow(entry, user.timeZone), path: url.pathname };
});

const withToast = async (type: 'success' | 'error', message: string) => ({
  headers: { 'Set-Cookie': await flash(type, message) },
});

/** Asked from the list, the list stays as it is searched and paged; what stood in the way is told beside it. */
async function deleteFromList(ctx: Ctx, id: string) {
  try {
    await deleteCalculation(ctx, id);
    return data({ isGone: true }, await withToast('success', 'Calculation deleted'));
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
    return data({ isGone: false }, await withToast('error', error.message));
  }
}

export const action = forUsers(({ request, ctx, params }) =>
  submit(
    request,
    deleteCalculationSchema,
    async ({ from }) => {
      const id = params.id ?? '';
      if (from === 'list') return deleteFromList(ctx, id);
      await deleteCalculation(ctx, id);
      return redirect(BACK, await withToast('success', 'Calculation deleted'));
    },
    { refused: toErrorPage },
  ),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** The step before a saved calculation goes. */
export default function DeleteCalculation() {
  const { row, path } = useLoaderData<typeof loader>();
  return <DeleteConfirm row={row} action={path} cancelHref={BACK} />;
}
