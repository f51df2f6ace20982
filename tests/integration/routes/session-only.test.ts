import { describe, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { visibleText } from '#tests/support/html.ts';
import { readStored } from './stored.ts';
import type { WebClient } from './web-client.ts';
import { calculationForm, useWeb } from './web.ts';

/** Decisions 5: what a free user saves belongs to the session; premium keeps it. */
const web = useWeb();

const save = async (client: WebClient, peptideName: string) =>
  expect((await client.post('/dashboard/calculator', calculationForm({ peptideName }))).status).toBe(302);

const history = async (client: WebClient) =>
  visibleText((await client.get('/dashboard/calculator?history=1')).body);

const signIn = async (client: WebClient, email: string) =>
  expect((await client.post('/login', { email, password: PASSWORD })).status).toBe(302);

describe('a free user', () => {
  it('has no earlier calculations after signing out and in again, not even in the database', async () => {
    const client = await web.user();
    await save(client, 'Fleeting');
    expect(await history(client)).toContain('Fleeting');
    await client.post('/logout');
    await signIn(client, client.email);
    const after = await history(client);
    expect(after).not.toContain('Fleeting');
    expect(after).toContain('No calculations yet');
    const stored = await readStored(web.dataDir);
    expect(stored['calculations']?.some((row) => row['peptideName'] === 'Fleeting')).toBe(false);
  });

  it('is told so in advance, and of the limit at ten', async () => {
    const client = await web.user();
    expect(await history(client)).toContain('Free Tier - Session Only');
    for (let count = 1; count <= 9; count += 1) await save(client, `Number ${count}`);
    expect(await history(client)).not.toContain('Free Tier Limit');
    await save(client, 'Number 10');
    expect(await history(client)).toContain('Free Tier Limit');
    expect(await history(client)).toContain('Usage Statistics');
  });

  it('sees none of them in another browser', async () => {
    const client = await web.user();
    await save(client, 'In one browser');
    const other = web.visitor();
    await signIn(other, client.email);
    expect(await history(other)).not.toContain('In one browser');
    await save(other, 'In the other');
    await other.post('/logout');
    expect(await history(client)).toContain('In one browser');
  });

  it('keeps existing calculations by starting the trial, in every browser and after sign-out', async () => {
    const client = await web.user();
    await save(client, 'Kept by the trial');
    const started = await client.post('/upgrade');
    expect([started.status, started.location]).toEqual([302, '/dashboard']);
    expect(await history(client)).not.toContain('Free Tier - Session Only');
    const other = web.visitor();
    await signIn(other, client.email);
    expect(await history(other)).toContain('Kept by the trial');
    await client.post('/logout');
    await signIn(client, client.email);
    expect(await history(client)).toContain('Kept by the trial');
  });
});

it('the trial can be started only once', async () => {
  const client = await web.user({ trial: true });
  const again = await client.post('/upgrade');
  expect(again.status).toBe(409);
  expect(visibleText(again.body)).toContain('This account has already used its free trial.');
});

it('one click saves once, however often it is sent', async () => {
  const client = await web.user();
  const form = calculationForm({ peptideName: 'Pressed twice', saveKey: 'one-press' });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => client.post('/dashboard/calculator', form)),
  );
  for (const { status } of answers) expect(status).toBe(302);
  const stored = await readStored(web.dataDir);
  expect(stored['calculations']?.filter((row) => row['peptideName'] === 'Pressed twice')).toHaveLength(1);
});

it('a save that coincides with a sign-out leaves nothing behind', async () => {
  const client = await web.user();
  const copy = web.visitor();
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  const saves = Array.from({ length: 6 }, (_, index) =>
    copy.post('/dashboard/calculator', calculationForm({ peptideName: `Crossing ${index}` })),
  );
  await Promise.all([...saves, client.post('/logout')]);
  const stored = await readStored(web.dataDir);
  const left = stored['calculations']?.filter((row) => String(row['peptideName']).startsWith('Crossing'));
  expect(left).toEqual([]);
});
