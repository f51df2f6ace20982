import { describe, expect, it } from 'vitest';
import { useApi } from './world.ts';
import { reminded } from './samples/reminders.ts';

const world = useApi();

describe('reminders', () => {
  it('are listed, the newest first, and marked as read', async () => {
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
