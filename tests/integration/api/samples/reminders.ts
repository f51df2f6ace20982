import { reminderRow } from '../../routes/owned/reminders.ts';
import type { ApiClient } from '../client.ts';
import type { World } from '../world.ts';
import type { Samples } from './sample.ts';
import { reposOf } from '#tests/support/repositories.ts';

/** A user's reminder, as the worker creates it. */
export async function reminded(owner: ApiClient, world: World): Promise<{ params: { id: string } }> {
  const { body } = await owner.get('/api/auth/me');
  const { id: userId } = body.data?.['user'] as { id: string };
  const row = reminderRow(userId);
  await reposOf(world.terminal()).reminders.createMissing([row]);
  return { params: { id: row._id } };
}

/** A host name that does not resolve, so that nothing is sent. */
const TOPIC = 'https://ntfy.example.invalid/topic';

/** A user's topic; they need not have Premium any more. */
async function withTopic(owner: ApiClient, world: World): Promise<Record<never, never>> {
  const { body } = await owner.get('/api/auth/me');
  const { id: userId } = body.data?.['user'] as { id: string };
  const topic = { userId, url: TOPIC, token: null, createdAt: new Date() };
  await reposOf(world.terminal()).ntfyTopics.put(topic);
  return {};
}

export const reminderSamples: Samples = {
  listReminders: { prepare: () => ({ query: { unread: 'true', limit: '5' } }) },
  readReminder: { prepare: reminded },
  getNtfyTopic: { prepare: withTopic },
  setNtfyTopic: {
    prepare: async (owner, world) => ({ ...(await withTopic(owner, world)), body: { url: TOPIC } }),
  },
  deleteNtfyTopic: { prepare: withTopic, expect: { other: 404 } },
  testNtfyTopic: {
    prepare: async (owner, world) => ({ ...(await withTopic(owner, world)), body: {} }),
    expect: { other: 404 },
  },
};
