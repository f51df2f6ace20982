import type { MetaFunction } from '@remix-run/node';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { Styleguide } from '#app/features/site/index.ts';
import { AppError } from '#app/domain/errors.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { currentApp } from '#app/platform/http/session.server.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [
  { title: 'Style guide – Vialbook' },
  { name: 'robots', content: 'noindex' },
];

/** For developers: exists only with the setting STYLEGUIDE=on. */
export const loader = forEveryone(() => {
  if (currentApp().settings.STYLEGUIDE !== 'on') throw new AppError('NOT_FOUND', 'There is no such page.');
  return null;
});

export default function StyleguidePage() {
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      <Styleguide />
    </PublicShell>
  );
}
