import { expect } from 'vitest';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { recentActivity } from '#app/features/admin/overview.server.ts';
import { viewUser } from '#app/features/admin/users/user-detail.server.ts';
import { prepareUsersFile, countUsers } from '#app/features/admin/users/users.server.ts';
import { countAudit, listAudit } from '#app/features/admin/audit-trail.server.ts';
import type { UserPath } from '#models/index.server.ts';
import { TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

/** Reads the lists along every index, from the start and from a place on. */
async function readEveryWay({ repos, clock }: TestDatabase): Promise<void> {
  const [at, id] = [clock.now(), '0'.repeat(24)];
  const way = { backwards: false, limit: 100 };
  const times = ['createdAt', 'lastSeenAt', 'suspendedAt', 'trialEndsAt'] as const;
  const paths: UserPath[] = [
    ...times.map(
      (by) => ({ where: {}, by, direction: -1, from: by === 'createdAt' ? undefined : at }) as const,
    ),
    { where: { role: 'admin' }, by: 'createdAt', direction: 1 },
    { where: { billingStatus: 'past_due' }, by: 'createdAt', direction: -1 },
    { where: {}, by: 'email', direction: 1, from: 'a', below: 'b' },
    { where: {}, by: 'emailDomain', direction: 1, from: 'a', below: 'b' },
  ];
  for (const path of paths) {
    const value = path.by === 'email' || path.by === 'emailDomain' ? 'a' : at;
    for (const place of [null, { value, id }]) await repos.userLists.list(path, place, way);
  }
  for (const place of [null, { value: 'anna', id }]) await repos.addressParts.list('a', place, way);
  for (const by of [null, 'subjectId', 'actor', 'action'] as const) {
    const filter = by === null ? {} : { name: { by, value: id } };
    for (const place of [null, { at, id }]) await repos.auditLists.list(filter, place, way);
  }
}

/** What an administrator does: changes of an account, lists of all. */
export async function administer(db: TestDatabase): Promise<void> {
  const terminal = db.ctx(TERMINAL);
  const { email } = await newPerson(db, 'changed@example.org', { plan: 'trial' });
  await newPerson(db, 'changed-too@example.org', { plan: 'trial' });
  for (const change of ['upgrade', 'downgrade', 'promote', 'demote', 'sign-out'] as const)
    await changeUser(terminal, change, { reason: 'test', email });
  await changeUser(terminal, 'delete', { reason: 'test', email, confirmEmail: email });
  await readEveryWay(db);
  await countUsers(terminal, { search: 'changed' });
  await countUsers(terminal, {});
  await recentActivity(terminal);
  await viewUser(terminal, (await newPerson(db, 'seen@example.org')).signedIn.user.id);
  expect(await textOf((await prepareUsersFile(terminal, {})).open())).toContain('seen@example.org');
  const operator = { actor: 'cli:operator' };
  for (const list of [{}, operator, { ...operator, action: 'user.promote' }, { startDate: '2090-01-01' }]) {
    await listAudit(terminal, list);
    await countAudit(terminal, list);
  }
}
