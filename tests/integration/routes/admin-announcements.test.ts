import { expect, it } from 'vitest';
import { alerts, control, fieldError, fieldValue, visibleText } from '#tests/support/html.ts';
import { readKept, storedIn } from './stored.ts';
import { useOwnWeb } from './web.ts';

/** Announcements are created, changed and ended with plain forms, and shown to their audience. */
const web = useOwnWeb();
const PATH = '/admin/dashboard/system/announcements';
const form = { title: 'Maintenance', text: 'On Sunday from 8 to 9.', audience: 'all', isDismissible: 'on' };
let presses = 0;

async function announced(title: string) {
  const admin = await web.admin();
  presses += 1;
  const sent = await admin.post(PATH, { ...form, title, idempotencyKey: `press-${presses}` });
  expect([sent.status, sent.location]).toEqual([302, PATH]);
  const announcements = await storedIn(web.dataDir, 'announcements');
  const id = String(announcements.find((row) => row['title'] === title)?._id);
  return { admin, id, edit: `${PATH}/edit?id=${id}` };
}

it('an announcement is edited on its page, and readers see the change at the next request', async () => {
  const reader = await web.user();
  const { admin, id, edit } = await announced('First words');
  expect((await admin.get(PATH)).body).toContain(edit);
  const page = await admin.get(edit);
  expect(fieldValue(page.body, 'title')).toBe('First words');
  expect(fieldValue(page.body, 'text')).toBe(form.text);
  expect(control(page.body, 'isDismissible')).toHaveProperty('checked');
  expect(visibleText((await reader.get('/dashboard')).body)).toContain('First words');
  const values = {
    title: 'Second words',
    text: 'On Monday.',
    audience: 'all',
    startsAt: fieldValue(page.body, 'startsAt') ?? '',
    endsAt: '',
    isDismissible: '',
    revision: fieldValue(page.body, 'revision') ?? '',
  };
  const answer = await admin.post(edit, values);
  expect([answer.status, answer.location]).toEqual([302, PATH]);
  const list = visibleText((await admin.get(PATH)).body);
  expect(list).toContain('Announcement saved');
  expect(list).toContain('cannot be dismissed');
  const read = visibleText((await reader.get('/dashboard')).body);
  expect(read).toContain('Second words');
  expect(read).not.toContain('First words');
  const audit = await storedIn(web.dataDir, 'audit');
  const changes = audit.filter(
    ({ subjectId, action }) => subjectId === id && action === 'announcement.change',
  );
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatchObject({
    before: { title: 'First words', text: form.text, isDismissible: true },
    after: { title: 'Second words', text: 'On Monday.', isDismissible: false },
  });
});

it('an announcement changed by someone else is shown beside what the second administrator typed', async () => {
  const { admin, edit } = await announced('Of both');
  const other = await web.admin();
  const seen = { ...form, revision: '0', startsAt: '', endsAt: '' };
  expect((await admin.post(edit, { ...seen, title: 'By the first' })).status).toBe(302);
  const late = await other.post(edit, { ...seen, title: 'By the second' });
  expect(late.status).toBe(409);
  expect(alerts(late.body)[0]).toContain('Someone else has changed this announcement.');
  expect(visibleText(late.body)).toContain('By the first');
  expect(fieldValue(late.body, 'title')).toBe('By the second');
  const revision = fieldValue(late.body, 'revision') ?? '';
  expect((await other.post(edit, { ...seen, title: 'By the second', revision })).status).toBe(302);
});

it('the announcement form shows errors at their fields, and is refused for others and from other sites', async () => {
  const { admin, edit, id } = await announced('Stays as it is');
  const reader = await web.user();
  const before = await readKept(web.dataDir);
  const seen = { ...form, revision: '0' };
  const wrong = await admin.post(edit, { ...seen, title: '', endsAt: '2020-01-01T08:00' });
  expect(wrong.status).toBe(400);
  expect(fieldError(wrong.body, 'title')).toBe('Enter a title');
  expect(fieldValue(wrong.body, 'text')).toBe(form.text);
  expect((await admin.post(edit, { ...seen, endsAt: '2020-01-01T08:00' })).status).toBe(400);
  expect((await admin.post(edit, seen, { origin: 'https://evil.example' })).status).toBe(403);
  for (const client of [reader, web.visitor()])
    expect((await client.post(edit, seen)).location?.split('?')[0]).toBe('/admin/login');
  expect((await admin.get(`${PATH}/edit?id=ann_none`)).status).toBe(404);
  expect(await readKept(web.dataDir)).toEqual(before);
  expect((await admin.post(`${PATH}/end?id=${id}`)).location).toBe(PATH);
  const over = await admin.post(edit, { ...seen, title: 'Too late' });
  expect([over.status, alerts(over.body)]).toEqual([409, ['This announcement has already ended.']]);
  expect(visibleText((await reader.get('/dashboard')).body)).not.toContain('Stays as it is');
});
