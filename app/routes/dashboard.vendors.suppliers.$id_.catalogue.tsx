import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CatalogueForm, VendorStep } from '#app/features/vendors/index.ts';
import { formText, tryForm, done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { importCatalogue, getSupplier } from '#app/features/vendors/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Import a catalogue – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params }) => {
  const { id, name } = await getSupplier(ctx, params.id ?? '');
  return { id, name };
});

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const id = params.id ?? '';
  const tried = await tryForm(request, async (form) => {
    const source = {
      text: formText(form, 'text'),
      url: formText(form, 'url'),
      currency: formText(form, 'currency'),
    };
    const isImport = form.get('step') === 'import';
    return { isImport, outcome: await importCatalogue(ctx, id, source, !isImport) };
  });
  if (!tried.ok) return tried.answer;
  const { isImport, outcome } = tried.value;
  if (!isImport) return { preview: outcome, values: {}, errors: {}, formErrors: [] };
  const { added, updated, bad } = outcome;
  const left = bad.length > 0 ? `, ${bad.length} skipped` : '';
  throw await done(`/dashboard/vendors/suppliers/${id}`, `${added} added, ${updated} updated${left}`);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ImportCatalogue() {
  const { id, name } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const back = `/dashboard/vendors/suppliers/${id}`;
  return (
    <VendorStep title={`Import a catalogue from ${name}`} back={back}>
      <CatalogueForm
        action={`${back}/catalogue`}
        values={answer?.values ?? {}}
        errors={answer?.errors ?? {}}
        formErrors={answer?.formErrors ?? []}
        preview={answer && 'preview' in answer ? answer.preview : null}
      />
    </VendorStep>
  );
}
