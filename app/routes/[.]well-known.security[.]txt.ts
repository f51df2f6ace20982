import { securityText } from '#app/domain/site/public-pages.ts';
import { withoutPage } from '#app/platform/http/route-handlers.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';
import { operatorContact } from '#app/platform/secrets/server-secrets.server.ts';

/** Without a contact in the settings it leads to the privacy policy, which names the operator. */
export const loader = withoutPage(() => {
  const { settings } = currentApp();
  const contact = operatorContact(settings) ?? `${settings.APP_URL}/privacy`;
  return new Response(securityText(settings.APP_URL, contact, new Date()), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });
});
