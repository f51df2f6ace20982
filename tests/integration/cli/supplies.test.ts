import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAccount } from '#app/features/accounts/index.server.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
let ada: Person;
beforeAll(async () => {
  db = await openTestDatabase();
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
});
afterAll(() => db.dispose());

const run = (...args: string[]) => runCli([...args, '--user', 'ada@example.org'], { env: db.env });
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as { supplies: { id: string; left: number }[]; profile: object };
};

describe('vialbook supplies', () => {
  it('adds, counts, changes and deletes supplies, by name or id', async () => {
    expect((await run('supplies', 'list')).stderr).toBe('No supplies yet.\n');
    const added = await run('supplies', 'add', '0.5 ml syringes', '--kind', 'syringe', '--count', '20');
    expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(/^supply_\w+ {2}0\.5 ml syringes: 20 left\. No doses are planned\.\n$/);
    const { supplies } = await json('supplies', 'change', '0.5 ML syringes', '--received', '100');
    expect(supplies).toMatchObject([{ kind: 'syringe', left: 120, perInjection: 1 }]);
    const id = supplies[0]?.id ?? '';
    const changed = await json('supplies', 'change', id, '--counted', '90', '--name', 'Syringes');
    expect(changed.supplies).toMatchObject([{ id, name: 'Syringes', left: 90 }]);
    expect((await json('supplies', 'list')).supplies).toMatchObject([{ id, left: 90 }]);
    expect(await run('supplies', 'delete', 'syringes')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await json('supplies', 'list')).supplies).toEqual([]);
  });

  it('rejects what the page rejects, with its messages, and reports an ambiguous name', async () => {
    for (const kind of ['needle', 'swab'])
      await json('supplies', 'add', 'Box', '--kind', kind, '--count', '5');
    const unclear = await run('supplies', 'change', 'box', '--counted', '4');
    expect([unclear.code, unclear.stderr]).toEqual([
      2,
      expect.stringMatching(/Several supplies .+ids: supply_/),
    ]);
    const wrong = await run('supplies', 'add', 'Swabs', '--count', 'many');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--count')]);
    expect((await run('supplies', 'delete', 'gloves')).code).toBe(4);
    const stranger = ['supplies', 'list', '--user', 'nobody@example.org'];
    expect((await runCli(stranger, { env: db.env })).code).toBe(4);
  });
});

describe('vialbook profile', () => {
  it('shows the profile, and changes only what is given', async () => {
    const before = await run('profile');
    expect(before.stdout).toContain('Syringe: U-100 1 ml\nDead space: 0 ml\n');
    const changed = await json('profile', '--dead-space', '0,03 ml', '--syringe', 'u100-0.5ml');
    expect(changed.profile).toMatchObject({ syringe: 'u100-0.5ml', deadSpaceMl: '0.03' });
    expect((await json('profile', '--name', 'Ada')).profile).toMatchObject({
      name: 'Ada',
      deadSpaceMl: '0.03',
    });
    expect((await json('profile', '--name', '')).profile).toMatchObject({ name: null });
    expect(await getAccount(ada.ctx)).toMatchObject({
      syringe: 'u100-0.5ml',
      deadSpaceMl: '0.03',
      name: null,
    });
  });

  it('rejects a dead space that no syringe has, and an unknown syringe', async () => {
    const wide = await run('profile', '--dead-space', '5');
    expect([wide.code, wide.stderr]).toEqual([2, expect.stringContaining('between 0 and 0.5 ml')]);
    const other = await run('profile', '--syringe', 'u500');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--syringe')]);
    expect(await getAccount(ada.ctx)).toMatchObject({ deadSpaceMl: '0.03' });
  });
});
