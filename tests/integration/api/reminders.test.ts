import { describe, expect, it } from 'vitest';
import { useApi } from './world.ts';
import { reminded } from './samples/reminders.ts';

const world = useApi();

describe('reminders', () => {
  it('are listed newest first, and marked as read', async () => {
    const client = await world.premium();
    const { params } = await reminded(client, world);
    const list = await client.get('/api/schedules/reminders');
    expect(list.body.data).toMatchObject({
      reminders: [{ id: params.id, type: 'other', isRead: false, isSent: false }],
      page: 1,
      limit: 20,
      total: 1,
    });
    const read = await client.patch(`/api/schedules/reminders/${params.id}/read`);
    expect(read.body.data?.['reminder']).toMatchObject({ id: params.id, isRead: true });
    const unread = await client.get('/api/schedules/reminders?unread=true');
    expect(unread.body.data).toMatchObject({ reminders: [], total: 0 });
  });
});

describe('the ntfy topic', () => {
  it('is set, gets a token, can be sent back unchanged, and is removed', async () => {
    const client = await world.premium();
    const [at, url] = ['/api/profile/ntfy', 'https://ntfy.example.invalid/mine'];
    expect((await client.get(at)).body.data).toEqual({ ntfy: null });
    expect((await client.put(at, { token: 'tk_1' })).body.fields).toHaveProperty('url');
    expect((await client.put(at, { url })).body.data).toEqual({ ntfy: { url, hasToken: false } });
    expect((await client.put(at, { url, token: 'tk_1' })).body.data).toEqual({
      ntfy: { url, hasToken: true },
    });
    const again = await client.put(at, (await client.get(at)).body.data?.['ntfy']);
    expect([again.status, again.body.data]).toEqual([200, { ntfy: { url, hasToken: true } }]);
    expect((await client.put(at, { token: '' })).body.data).toEqual({ ntfy: { url, hasToken: false } });
    expect((await client.delete(at)).status).toBe(200);
    expect((await client.get(at)).body.data).toEqual({ ntfy: null });
  });
});
