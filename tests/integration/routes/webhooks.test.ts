import { expect, it } from 'vitest';
import { createApiToken } from '#app/features/accounts/api-tokens.server.ts';
import { testConnection } from '#tests/support/database.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { visibleText } from '#tests/support/html.ts';
import { useWeb } from './web.ts';

const web = useWeb();
const LIST = '/dashboard/profile/webhooks';

it('a webhook is created, tested, changed, given a new secret and deleted without scripts', async () => {
  const person = await web.registered({ trial: true });
  expect(visibleText((await person.get(LIST)).body)).toContain('No webhooks yet');
  const refused = await person.post(`${LIST}/new`, { url: 'https://10.0.0.1/x' });
  expect(refused.status).toBe(400);
  expect(visibleText(refused.body)).toContain('Choose at least one event');
  const inside = await person.post(`${LIST}/new`, { url: 'https://10.0.0.1/x', events: 'dose.due' });
  expect(visibleText(inside.body)).toContain('Enter a public address that begins with https://');
  expect(inside.body).toContain('value="https://10.0.0.1/x"');
  const form = { url: 'https://[2d00::1]/mine', events: ['dose.due', 'stock.low'] };
  const made = await person.post(`${LIST}/new`, form);
  const secret = /whsec_[\w+/]{43}=/.exec(made.body)?.[0] ?? expect.unreachable('no secret');
  const id = /webhooks\/(hook_[0-9a-f]+)/.exec(made.body)?.[1] ?? '';
  const tested = await person.post(`${LIST}/${id}`, { intent: 'test' });
  expect([tested.status, tested.location]).toEqual([302, `${LIST}/${id}`]);
  const page = await person.get(`${LIST}/${id}`);
  expect(visibleText(page.body)).toContain('Given up: the address could not be reached');
  expect(page.body).not.toContain(secret);
  const deliveryId = /name="deliveryId" value="(whd_[0-9a-f]+)"/.exec(page.body)?.[1] ?? '';
  expect((await person.post(`${LIST}/${id}`, { intent: 'again', deliveryId })).status).toBe(302);
  const edited = await person.get(`${LIST}/${id}/edit`);
  expect(edited.body.match(/checked=""/g)).toHaveLength(2);
  const change = { url: 'https://[2d00::1]/moved', events: 'dose.taken' };
  expect((await person.post(`${LIST}/${id}/edit`, change)).location).toBe(`${LIST}/${id}`);
  expect(visibleText((await person.get(LIST)).body)).toContain('[2d00::1]/moved');
  const rotated = await person.post(`${LIST}/${id}/secret`);
  expect(/whsec_[\w+/]{43}=/.exec(rotated.body)?.[0]).not.toBe(secret);
  expect((await person.post(`${LIST}/${id}/delete`)).location).toBe(LIST);
  expect(visibleText((await person.get(LIST)).body)).toContain('No webhooks yet');
});

it('an old session is led through the password first, and a personal token is refused', async () => {
  const person = await web.registered({ trial: true });
  const { token } = await asSomeone(web.dataDir, person.email, async (ctx, database) => {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const { actor } = ctx;
    const userId = actor.kind === 'user' ? actor.id : '';
    await testConnection(database)
      .collection('sessions')
      .updateMany({ userId }, { $set: { authenticatedAt: anHourAgo } });
    return { token: (await createApiToken(ctx, { name: 'script', scope: 'write', life: '30' })).secret };
  });
  const form = { url: 'https://[2d00::1]/mine', events: ['dose.due'] };
  const NTFY = '/dashboard/profile/notifications/ntfy';
  const confirm = (path: string) => `/dashboard/profile/confirm?redirectTo=${encodeURIComponent(path)}`;
  for (const path of [`${LIST}/new`, NTFY]) expect((await person.get(path)).location).toBe(confirm(path));
  expect((await person.post(`${LIST}/new`, form)).location).toBe(confirm(`${LIST}/new`));
  expect((await person.get('/dashboard/profile/push')).location).toBe(confirm('/dashboard/profile/push'));
  const call = async (headers: Record<string, string>) => {
    const answer = await fetch(`${web.url}/api/webhooks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(form),
    });
    return [answer.status, ((await answer.json()) as { error: string }).error];
  };
  expect(await call({ Authorization: `Bearer ${token}` })).toEqual([403, 'FORBIDDEN']);
  const session = `vialbook_session=${person.cookies.get('vialbook_session') ?? ''}`;
  expect(await call({ Cookie: session, Origin: web.url })).toEqual([403, 'RECENT_SIGN_IN_REQUIRED']);
  expect(visibleText((await person.get(LIST)).body)).toContain('No webhooks yet');
  const back = await person.post(confirm(`${LIST}/new`), { password: PASSWORD });
  expect(back.location).toBe(`${LIST}/new`);
  expect((await person.post(`${LIST}/new`, form)).status).toBe(200);
  expect(visibleText((await person.get(LIST)).body)).toContain('[2d00::1]/mine');
});
