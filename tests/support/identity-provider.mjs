// A provider of OpenID Connect in a thread of its own, whose clock can be wrong.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { skewSeconds, clients, lifeSeconds } = workerData;
const realNow = Date.now;
Date.now = () => realNow() + skewSeconds * 1000;

const { default: Provider } = await import('oidc-provider');

/** Who is asked for signs in as `login_hint` says; tests set it with a call to /as/NAME. */
let person = 'ada';
const EMAILS = new Map();

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/test/as') {
    person = searchParams.get('name') ?? person;
    const email = searchParams.get('email');
    EMAILS.set(person, { email, email_verified: searchParams.get('verified') !== 'no' });
    response.end();
    return;
  }
  void handle(request, response);
});
await new Promise((resolve) => {
  server.listen(workerData.port ?? 0, '127.0.0.1', resolve);
});
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients,
  pkce: { required: () => true },
  scopes: ['openid', 'email'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  ttl: {
    IdToken: lifeSeconds,
    AccessToken: 3600,
    AuthorizationCode: 3600,
    Session: 3600,
    Grant: 3600,
    Interaction: 3600,
  },
  cookies: { keys: ['a key for tests'] },
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
  interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (_ctx, id) => ({
    accountId: id,
    claims: () => ({ sub: id, ...EMAILS.get(id) }),
  }),
});

const callback = provider.callback();

/** Answers every question at once: the person is who the test says, and agrees. */
async function interact(request, response) {
  const { params, session, grantId } = await provider.interactionDetails(request, response);
  if (person === 'nobody') {
    const refusal = { error: 'access_denied', error_description: 'pressed Cancel' };
    return provider.interactionFinished(request, response, refusal);
  }
  const grant =
    (session && grantId && (await provider.Grant.find(grantId))) ||
    new provider.Grant({ accountId: person, clientId: params.client_id });
  grant.addOIDCScope('openid email');
  const result = { login: { accountId: person, remember: false }, consent: { grantId: await grant.save() } };
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

async function handle(request, response) {
  try {
    if ((request.url ?? '').startsWith('/interaction/')) await interact(request, response);
    else await callback(request, response);
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}

parentPort?.postMessage({ issuer });
