import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CatalogueForm, VendorStep } from '#app/features/vendors/index.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { catalogueFormSchema } from '#app/domain/vendors/vendor-schema.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { importCatalogue, getSupplier } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Import a catalogue – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const { id, name } = await getSupplier(ctx, params.id ?? '');
  return { id, name };
});

export const action = forPremiumUsers(({ request, ctx, params }) =>
  submit(request, catalogueFormSchema, async ({ step, ...source }) => {
    const id = params.id ?? '';
    const isImport = step === 'import';
    const outcome = await importCatalogue(ctx, id, source, !isImport);
    if (!isImport) return { preview: outcome };
    const { added, updated, bad } = outcome;
    const left = bad.length > 0 ? `, ${bad.length} skipped` : '';
    return done(`/dashboard/vendors/suppliers/${id}`, `${added} added, ${updated} updated${left}`);
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ImportCatalogue() {
  const { id, name } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const refused = answer && 'lastResult' in answer ? sentForm(answer.lastResult) : undefined;
  const back = `/dashboard/vendors/suppliers/${id}`;
  return (
    <VendorStep title={`Import a catalogue from ${name}`} back={back}>
      <CatalogueForm
        action={`${back}/catalogue`}
        values={refused?.values ?? {}}
        errors={refused?.errors ?? {}}
        formErrors={refused?.formErrors ?? []}
        preview={answer && 'preview' in answer ? answer.preview : null}
      />
    </VendorStep>
  );
}
