import { useActionData, useLoaderData } from '@remix-run/react';
import { Suspense } from 'react';
import { LazyDemoDialog as DemoDialog, Landing } from '#app/features/site/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { demoInterestSchema } from '#app/domain/demo/demo.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { calculatorExample } from '#app/features/calculator/pages.server.ts';
import { openLanding } from '#app/features/site/pages.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { forVisitors } from '#app/platform/http/route-handlers.server.ts';
import { keepDemoInterest } from '#app/features/demo/index.server.ts';

export const meta = publicMeta(
  '/',
  'Vialbook – from powder to the mark on the syringe',
  'A notebook for research peptides: exact reconstitution, exact draws, and a record of what you did.',
);

export const loader = forVisitors(async (page) => ({
  ...(await openLanding(page)),
  example: calculatorExample(),
}));

/** Handles the demo form. Known and new addresses get the same answer. */
export const action = forVisitors(({ request, ctx }) =>
  submit(request, demoInterestSchema, async (input, reply) => {
    await keepDemoInterest(ctx, input);
    return { lastResult: reply() };
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';
import { publicMeta } from '#app/ui/public-meta.ts';

export default function Index() {
  const { demo, hasDemo, example, sections } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const shown = demo || lastResult !== undefined;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      <Landing sections={sections} hasDemo={hasDemo} example={example} />
      {shown ? (
        <Suspense fallback={null}>
          <DemoDialog action="/?index" closeHref="/" hasDemo={hasDemo} lastResult={lastResult} />
        </Suspense>
      ) : null}
    </PublicShell>
  );
}
