import { redirect } from '@remix-run/node';
import { connectionMetadata, offersConnections } from '#app/domain/accounts/connection.ts';
import { AppError } from '#app/domain/errors.ts';
import { securityText } from '#app/domain/site/public-pages.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { withoutPage } from '#app/platform/http/route-handlers.server.ts';
import { currentApp } from '#app/platform/http/session.server.ts';
import { operatorContact } from '#app/platform/secrets/server-secrets.server.ts';

const CACHED = { 'Cache-Control': 'public, max-age=3600' };

/** Without a contact in the settings it leads to the privacy policy, which names the operator. */
function security(settings: Settings): Response {
  const contact = operatorContact(settings) ?? `${settings.APP_URL}/privacy`;
  return new Response(securityText(settings.APP_URL, contact, new Date()), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...CACHED },
  });
}

/** The documents by which programs find out how to ask for a connection. They are the same for everybody, wherever they run. */
function metadata({ APP_URL }: Settings, name: string): Response {
  const documents = new Map(Object.entries(connectionMetadata(APP_URL)));
  const document = offersConnections(APP_URL) ? documents.get(name) : undefined;
  if (document === undefined) throw new AppError('NOT_FOUND', 'There is no such document.');
  return Response.json(document, { headers: { ...CACHED, 'Access-Control-Allow-Origin': '*' } });
}

export const loader = withoutPage(({ params }) => {
  const { settings } = currentApp();
  const name = params['*'] ?? '';
  // Where password managers send people (https://w3c.github.io/webappsec-change-password-url/).
  if (name === 'change-password') return redirect('/dashboard/profile/password');
  return name === 'security.txt' ? security(settings) : metadata(settings, name);
});
