import type { IncomingHttpHeaders } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { describe, expect, it } from 'vitest';
import { screenOf, visibleText } from '#tests/support/html.ts';
import { WebClient } from '../routes/web-client.ts';
import { useOwnWeb } from '../routes/web.ts';
import { ApiClient } from './client.ts';
import { useApi } from './world.ts';

/** The authorization part of the Model Context Protocol, with the SDK's own client. */
const world = useApi();

const REDIRECT = 'http://127.0.0.1:7001/callback';

/** A program, such as an assistant at somebody's desk. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: 'Desk <b>assistant</b>', redirect_uris: [REDIRECT] };
  information: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  asked: URL | undefined;
  verifier = '';

  state = () => 'desk-state';
  clientInformation = () => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed) => void (this.information = information);
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens) => void (this.kept = tokens);
  redirectToAuthorization = (url: URL) => void (this.asked = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  invalidateCredentials = () => void (this.kept = undefined);
}

const transportOf = (program: Program) =>
  new StreamableHTTPClientTransport(new URL(`${world.web.url}/mcp`), { authProvider: program });

const newClient = () => new Client({ name: 'desk', version: '1' });

/** The page that the program sends its user to, relative to the server. */
const pageOf = ({ asked }: Program) => `${asked?.pathname}${asked?.search}`;

async function browserOf({ token }: ApiClient): Promise<WebClient> {
  const browser = new WebClient(world.web.url);
  await browser.keepSession(token ?? '', 'none');
  return browser;
}

/** Where the browser goes after the answer. */
const destination = (headers: IncomingHttpHeaders): URL =>
  new URL(String(headers['refresh']).replace(/^0;url=/, ''));

describe('a program that knows only the address', () => {
  it('finds out whom to ask, gets in with its user’s consent, and renews its tokens', async () => {
    const ada = await world.premium();
    const program = new Program();
    await expect(newClient().connect(transportOf(program))).rejects.toThrow('Unauthorized');
    expect(program.information).not.toHaveProperty('client_secret');

    // Without a session, sign-in comes first, and then the page.
    const signIn = await world.web.visitor().get(pageOf(program));
    expect(signIn.status).toBe(302);
    const back = new URL(signIn.location ?? '', world.web.url).searchParams.get('redirectTo');
    expect(back).toBe(pageOf(program));

    const browser = await browserOf(ada);
    const page = await browser.get(pageOf(program));
    expect(page.status).toBe(200);
    const text = visibleText(page.body);
    expect(text).toContain('Desk <b>assistant</b>');
    expect(text).toContain(ada.email);
    expect(text).toContain('127.0.0.1:7001');
    expect(screenOf(page.body).getByRole('button', { name: 'Deny' })).toBeTruthy();
    // Its header is that of somebody who is signed in.
    expect(screenOf(page.body).getByRole('link', { name: 'Dashboard' })).toBeTruthy();
    expect(screenOf(page.body).queryByRole('link', { name: 'Sign in' })).toBeNull();
    const answer = await browser.post(pageOf(program), { intent: 'allow', scope: 'write' });
    expect(answer.status).toBe(200);
    const to = destination(answer.headers);
    expect(to.href).toMatch(/^http:\/\/127\.0\.0\.1:7001\/callback\?/);
    expect(to.searchParams.get('state')).toBe('desk-state');
    expect(screenOf(answer.body).getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe(to.href);

    await transportOf(program).finishAuth(to.searchParams.get('code') ?? '');
    const client = newClient();
    await client.connect(transportOf(program));
    expect(await client.callTool({ name: 'getToday', arguments: {} })).toMatchObject({
      structuredContent: { success: true },
    });
    await client.close();

    // The same tokens open neither the API nor a page.
    const bearer = new ApiClient(world.web.url, program.kept?.access_token ?? '');
    expect((await bearer.get('/api/profile')).status).toBe(401);

    // A token that no longer works is renewed without asking.
    const { refresh_token: first } = program.kept ?? {};
    program.kept = { ...(program.kept as OAuthTokens), access_token: 'vialbook_mcp_over' };
    const later = newClient();
    await later.connect(transportOf(program));
    expect(program.kept?.refresh_token).not.toBe(first);
    expect((await later.listTools()).tools.map(({ name }) => name)).toContain('takeDose');

    // It is listed, and its owner can end it.
    const list = await browser.get('/dashboard/profile/tokens');
    expect(visibleText(list.body)).toContain('Desk <b>assistant</b>');
    const [, id = ''] = /tokens\/([0-9a-f]{24})\/revoke/.exec(list.body) ?? [];
    expect((await browser.post(`/dashboard/profile/tokens/${id}/revoke`, {})).status).toBe(302);
    program.asked = undefined;
    await expect(later.listTools()).rejects.toThrow();
    expect(program.asked).toBeDefined();
    await later.close();
  });

  it('is told no', async () => {
    const program = new Program();
    await newClient()
      .connect(transportOf(program))
      .catch(() => undefined);
    const browser = await browserOf(await world.premium());
    const answer = await browser.post(pageOf(program), { intent: 'deny' });
    const { searchParams } = destination(answer.headers);
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['access_denied', null]);
    expect((await browser.post(pageOf(program), { intent: 'perhaps' })).status).toBe(400);
  });

  it('cannot have another site press the button, nor be sent elsewhere', async () => {
    const program = new Program();
    await newClient()
      .connect(transportOf(program))
      .catch(() => undefined);
    const browser = await browserOf(await world.premium());
    const foreign = { Origin: 'https://elsewhere.example.org' };
    const pressed = await browser.post(pageOf(program), { intent: 'allow' }, foreign);
    expect([pressed.status, pressed.headers['refresh']]).toEqual([403, undefined]);
    const other = pageOf(program).replace('7001', '7002');
    for (const answer of [await browser.get(other), await browser.post(other, { intent: 'allow' })]) {
      expect(answer.status).toBe(400);
      expect(answer.headers['refresh']).toBeUndefined();
    }
  });
});

describe('the addresses of connections', () => {
  const program = (path: string, init: RequestInit = {}) => fetch(`${world.web.url}${path}`, init);
  const form = (path: string, fields: Record<string, string>) =>
    program(path, { method: 'POST', body: new URLSearchParams(fields) });

  it('answer as the standards say', async () => {
    const refused = await program('/mcp', {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${world.web.url}/.well-known/oauth-protected-resource/mcp"`,
    );
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp'])
      expect(await (await program(`/.well-known/${path}`)).json()).toMatchObject({
        resource: `${world.web.url}/mcp`,
        authorization_servers: [world.web.url],
      });
    expect(await (await program('/.well-known/oauth-authorization-server')).json()).toMatchObject({
      issuer: world.web.url,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
    const answers = [
      await form('/oauth/token', {}),
      await form('/oauth/token', { grant_type: 'refresh_token', client_id: 'x', refresh_token: 'y' }),
      await form('/oauth/revoke', { client_id: 'x', token: 'y' }),
      await program('/oauth/register', {
        method: 'POST',
        body: '{"redirect_uris":["http://e.org"]}',
        headers: { 'Content-Type': 'application/json' },
      }),
      await program('/oauth/token', {
        method: 'POST',
        body: '{}',
        headers: { 'Content-Type': 'application/json' },
      }),
      await form('/oauth/nothing', {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 415, 404]);
    expect(
      await Promise.all(answers.map(async (one) => ((await one.json()) as { error: string }).error)),
    ).toEqual([
      ...['invalid_request', 'invalid_client', 'invalid_client', 'invalid_client_metadata'],
      ...['invalid_request', 'invalid_request'],
    ]);
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('a server whose address is neither https nor of this machine', () => {
  const web = useOwnWeb({ APP_URL: 'http://vials.example.org', HOST: '127.0.0.1' });

  it('offers no connections', async () => {
    const browser = await web.user();
    for (const path of ['oauth-protected-resource/mcp', 'oauth-authorization-server'])
      expect((await browser.get(`/.well-known/${path}`)).status).toBe(404);
    expect((await browser.get('/connect?client_id=x')).status).toBe(404);
    const answer = await fetch(`${web.url}/oauth/register`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    const refused = await fetch(`${web.url}/mcp`, { method: 'POST', body: '{}' });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="vialbook"');
  });
});
