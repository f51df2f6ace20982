import { redirect, type MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { ReasonForm } from '#app/features/admin/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { AppError } from '#app/domain/errors.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { systemActionSchema } from '#app/domain/admin/admin-schema.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { clearCaches, restartWorkers } from '#app/features/admin/index.server.ts';
import { startBackup } from '#app/features/system/index.server.ts';

const BASE = '/admin/dashboard/system';

const ACTIONS = {
  backup: {
    title: 'Back up now?',
    about: 'This writes all data to one compressed file on the server. People can keep working.',
    button: 'Back up now',
  },
  'restart-worker': {
    title: 'Restart the worker?',
    about:
      'Each worker finishes its current work, which can take up to 20 seconds, then restarts. Reminders may be delayed that long, but none are lost.',
    button: 'Restart worker',
  },
  'clear-cache': {
    title: 'Clear the cache?',
    about:
      'Switches and announcements are cached for 5 seconds. Clearing the cache reloads them immediately.',
    button: 'Clear cache',
  },
} as const;

type ActionName = keyof typeof ACTIONS;

function actionOf(url: URL): ActionName {
  const name = url.searchParams.get('do') ?? '';
  if (Object.hasOwn(ACTIONS, name)) return name as ActionName;
  throw new AppError('NOT_FOUND', 'There is no such action.');
}

export const meta: MetaFunction = () => [{ title: 'System – Vialbook Admin' }];

export const loader = forAdmins(({ ctx, url }) => {
  authorise(ctx.actor, 'system.act');
  const name = actionOf(url);
  return { name, ...ACTIONS[name] };
});

export const action = forAdmins(({ request, ctx, url }) => {
  const name = actionOf(url);
  return submit(request, systemActionSchema, async (input) => {
    if (name === 'backup') return redirect(`${BASE}/backups/${(await startBackup(ctx, input)).backup.id}`);
    if (name === 'restart-worker') {
      await restartWorkers(ctx, input);
      return done(BASE, 'The worker restarts within a few seconds');
    }
    const cleared = await clearCaches(ctx, input);
    const message = cleared.length === 0 ? 'The cache was already empty' : `Cleared: ${cleared.join(', ')}`;
    return done(BASE, message);
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function AdminAction() {
  const { name, title, about, button } = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  return (
    <>
      <PageTitle
        actions={
          <Link to={BASE} className="inline-flex min-h-11 items-center">
            Back
          </Link>
        }
      >
        {title}
      </PageTitle>
      <div className="sheet grid max-w-2xl gap-4 p-5">
        <p>{about}</p>
        <ReasonForm action={`${BASE}/actions?do=${name}`} button={button} refused={refused} />
      </div>
    </>
  );
}
