import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { SchedulePage } from '#app/components/schedule/schedule-page.tsx';
import { TemplateLists } from '#app/components/schedule/template-lists.tsx';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { readTemplatesPage } from '#app/http/schedule-extras.server.ts';

export const meta: MetaFunction = () => [{ title: 'Schedule templates – Vialbook' }];

export const loader = forPremiumUsers(readTemplatesPage);

export default function Templates() {
  return (
    <SchedulePage tab="templates" title="Templates">
      <TemplateLists {...useLoaderData<typeof loader>()} />
    </SchedulePage>
  );
}
