import { sitemap } from '#app/domain/site/public-pages.ts';
import { withoutPage } from '#app/platform/http/route-handlers.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';

export const loader = withoutPage(
  () =>
    new Response(sitemap(currentApp().settings.APP_URL), {
      headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
    }),
);
