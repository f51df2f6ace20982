import { useActionData, useLoaderData } from '@remix-run/react';
import { DemoPage } from '#app/features/demo/index.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { enterAccount } from '#app/features/accounts/sign-in-pages.server.ts';
import { submitDemo } from '#app/features/demo/pages.server.ts';
import { forVisitors } from '#app/platform/http/route-handlers.server.ts';
import { isSwitchedOn } from '#app/platform/flags/flags.server.ts';

export const meta = publicMeta(
  '/demo',
  'Demo – Vialbook',
  'Explore a year of vials, doses and measurements for 24 hours.',
);

export const loader = forVisitors(async ({ ctx }) => ({ isOpen: await isSwitchedOn(ctx, 'demo') }));

export const action = forVisitors((page) => submitDemo(page, (signedIn) => enterAccount(page, signedIn)));

export { clientAction } from '#app/ui/connection/client-action.ts';
import { publicMeta } from '#app/ui/public-meta.ts';

export default function Demo() {
  const { isOpen } = useLoaderData<typeof loader>();
  const problem = firstError(useActionData<typeof action>()?.lastResult);
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      <DemoPage isOpen={isOpen} problem={problem} />
    </PublicShell>
  );
}
