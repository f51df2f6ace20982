import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { SwitchList, SystemPage } from '#app/features/admin/index.ts';
import { FLAG_WORDS } from '#app/domain/flags/flags.ts';
import { switchFlagSchema } from '#app/domain/admin/admin-schema.ts';
import { switchViews } from '#app/features/admin/system/system-pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { listFlags, switchFlag } from '#app/platform/flags/flags.server.ts';

const PATH = '/admin/dashboard/system/switches';

export const meta: MetaFunction = () => [{ title: 'Switches – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user }) => ({
  switches: switchViews(await listFlags(ctx), user.timeZone),
}));

export const action = forAdmins(({ request, ctx }) =>
  submit(request, switchFlagSchema, async (input) => {
    await switchFlag(ctx, input);
    return done(PATH, `${FLAG_WORDS[input.name].label} is ${input.state}`);
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function AdminSwitches() {
  const { switches } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  return (
    <SystemPage tab="switches" title="Switches">
      <p className="max-w-prose text-soft">
        A switch takes effect immediately in this process and within 5 seconds in others.
      </p>
      <SwitchList switches={switches} refused={refused} />
    </SystemPage>
  );
}
