import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ActDone } from '#app/features/reminders/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { DOSE_MESSAGES } from '#app/domain/doses/dose-schema.ts';
import { MOVE_MESSAGES } from '#app/domain/schedules/plan-changes.ts';
import { REMINDER_MESSAGES, type ActAction } from '#app/domain/reminders/reminder-schema.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Done – Vialbook' }];

const WORDS: Record<ActAction | 'together', string> = {
  together: DOSE_MESSAGES.takenTogether,
  taken: DOSE_MESSAGES.taken,
  skip: DOSE_MESSAGES.skipped,
  snooze: REMINDER_MESSAGES.snoozed,
  move: MOVE_MESSAGES.moved,
};

export const loader = forEveryone(({ url }) => {
  const did = url.searchParams.get('did') ?? '';
  return { message: did in WORDS ? WORDS[did as keyof typeof WORDS] : 'You can close this page.' };
});

export default function ActedOnDose() {
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      <ActDone message={useLoaderData<typeof loader>().message} />
    </PublicShell>
  );
}
