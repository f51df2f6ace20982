import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnShell } from '#tests/support/cli.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import { useApi } from './world.ts';
import { reposOf } from '#tests/support/repositories.ts';

/** Runs the examples from the documentation against a server. */
const PAGE = readFileSync('docs/home-screens.md', 'utf8');
const blockOf = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? expect.unreachable(language);

const world = useApi();
const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-home-'));
afterAll(() => rmSync(folder, { recursive: true }));

let token = '';
let today: { nextDose: { name: string; dueDate: string }; overdue: number; lowStock: object[] };
beforeAll(async () => {
  const person = await world.premium();
  const { user } = (await person.get('/api/auth/me')).body.data as { user: { id: string } };
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const doses = [
    pendingDose('dose_home_late', at(-2)),
    pendingDose('dose_home_next', at(3), { name: 'TB-500' }),
  ];
  await reposOf(world.terminal()).doses.createMany(user.id, doses);
  const reader = await world.tokenOf(person, 'read');
  token = reader.token ?? '';
  today = (await reader.get('/api/today')).body.data as unknown as typeof today;
  expect(today).toMatchObject({ overdue: 1, nextDose: { name: 'TB-500', amount: '250 mcg' } });
});

describe('the examples for home screens', () => {
  it('the widget shows the next dose and overdue doses', async () => {
    const texts: string[] = [];
    let shown: unknown;
    class Request {
      headers: Record<string, string> = {};
      constructor(readonly url: string) {}
      loadJSON = async () => (await fetch(here(this.url), { headers: this.headers })).json();
    }
    class ListWidget {
      addText = (text: string) => {
        texts.push(text);
        return {};
      };
    }
    const host = {
      Request,
      ListWidget,
      Color: { red: () => 'red' },
      Script: { setWidget: (widget: unknown) => (shown = widget), complete: () => undefined },
    };
    const here = (text: string) => text.replace('https://vialbook.example.org', world.web.url);
    const code = blockOf('js').replace('YOUR-TOKEN', token);
    await (runInNewContext(`(async () => {${code}})()`, host) as Promise<void>);
    expect(shown).toBeInstanceOf(ListWidget);
    expect(texts).toEqual([expect.stringMatching(/^\d\d:\d\d TB-500, 250 mcg$/), '1 overdue']);
  });

  it.skipIf(spawnSync('jq', ['--version']).status !== 0 || spawnSync('curl', ['--version']).status !== 0)(
    'the prompt says how many doses are overdue, without waiting for the server',
    async () => {
      const script = blockOf('bash')
        .replace('https://vialbook.example.org', world.web.url)
        .replace('~/.cache', folder);
      const line = `${script}\nvialbook_prompt; wait; vialbook_prompt`;
      const { code, stdout } = await spawnShell(line, { cwd: folder, env: { VIALBOOK_TOKEN: token } });
      expect([code, stdout.trim()]).toEqual([0, '1 overdue']);
    },
  );

  it('the sensors read fields of the response, with a read token', async () => {
    const yaml = blockOf('yaml');
    const address = /resource: (\S+)/.exec(yaml)?.[1] ?? '';
    const answer = await fetch(new URL(new URL(address).pathname, world.web.url), {
      headers: { authorization: `Bearer ${token}` },
    });
    const value: unknown = await answer.json();
    const at = (names: string): unknown =>
      names.split('.').reduce<unknown>((thing, name) => (thing as Record<string, unknown>)[name], value);
    const templates = [...yaml.matchAll(/value_json\.([\w.]+)/g)].map(([, names = '']) => names);
    expect(templates.map((names) => [names, at(names)])).toEqual([
      ['data.nextDose.dueDate', today.nextDose.dueDate],
      ['data.nextDose', today.nextDose],
      ['data.lowStock', today.lowStock],
      ['data.overdue', today.overdue],
    ]);
    const attributes = /json_attributes: \[([^\]]*)\]/.exec(yaml)?.[1]?.split(', ') ?? [];
    expect(at('data.nextDose')).toEqual(
      expect.objectContaining(
        Object.fromEntries(attributes.map((name) => [name, expect.any(String) as string])),
      ),
    );
  });
});
