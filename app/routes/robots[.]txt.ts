import { robotsText } from '#app/domain/site/public-pages.ts';
import { withoutPage } from '#app/platform/http/route-handlers.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';

export const loader = withoutPage(
  () =>
    new Response(robotsText(currentApp().settings.APP_URL), {
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
    }),
);
