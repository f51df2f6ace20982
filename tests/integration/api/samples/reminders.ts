import { reminderRow } from '../../routes/owned/reminders.ts';
import type { ApiClient } from '../client.ts';
import type { World } from '../world.ts';
import type { Samples } from './sample.ts';

/** A reminder of somebody's, as the worker makes it. */
export async function reminded(owner: ApiClient, world: World): Promise<{ params: { id: string } }> {
  const { body } = await owner.get('/api/auth/me');
  const { id: userId } = body.data?.['user'] as { id: string };
  const row = reminderRow(userId);
  await world.terminal().repos.reminders.createMissing([row]);
  return { params: { id: row._id } };
}

export const reminderSamples: Samples = {
  listReminders: { given: () => ({ query: { unread: 'true', limit: '5' } }) },
  readReminder: { given: reminded },
};
