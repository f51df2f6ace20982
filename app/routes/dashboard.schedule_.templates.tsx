import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { SchedulePage, TemplateLists } from '#app/features/schedules/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readTemplatesPage } from '#app/features/schedules/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Schedule templates – Vialbook' }];

export const loader = forPremiumUsers(readTemplatesPage);

export default function Templates() {
  return (
    <SchedulePage tab="schedules" title="Templates">
      <TemplateLists {...useLoaderData<typeof loader>()} />
    </SchedulePage>
  );
}
