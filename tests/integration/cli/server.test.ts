import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { type CliResult, type CliWorld, runCli, spawnCli } from '#tests/support/cli.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { freePort } from '#tests/support/server.ts';
import type { ApiClient } from '../api/client.ts';
import { useApi } from '../api/world.ts';

const world = useApi();
const folders: string[] = [];
let ada: ApiClient;
let token: string;
/** The id of her vial of the lot L-1. */
let vialId: string;
/** Where the login is kept, with its environment. */
let home: string;
let file: string;

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vialbook-login-'));
  folders.push(folder);
  return folder;
}

const env = () => ({ XDG_CONFIG_HOME: home });
const loginPath = () => path.join(home, 'vialbook', 'login.json');

/** The command on the server. */
const there = (args: readonly string[], more: CliWorld = {}): Promise<CliResult> =>
  runCli(args, { ...more, env: { ...env(), ...more.env } });

/** The same command where the data are. */
const here = ([name = '', ...args]: readonly string[], more: CliWorld = {}): Promise<CliResult> => {
  const isGroup = ['supplies', 'schedule', 'webhooks'].includes(name);
  const [first, rest] = isGroup ? [args.slice(0, 1), args.slice(1)] : [[], args];
  return runCli([name, ...first, '--user', ada.email, ...rest], {
    ...more,
    env: { DATA_DIR: world.web.dataDir },
  });
};

async function created(call: string, body: object): Promise<Record<string, { id: string }>> {
  const answer = await ada.post(call, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.data as Record<string, { id: string }>;
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  home = await newFolder();
  file = path.join(home, 'doses.csv');
  ada = await world.premium();
  token = String((await world.tokenOf(ada, 'write')).token);
  const { compound: vial } = await created('/api/compounds', {
    name: 'TB-500',
    totalAmount: 5,
    waterMl: 2,
    lot: 'L-1',
    expirationDate: '2020-01-01',
  });
  vialId = vial?.id ?? '';
  const parts = [
    { name: 'BPC-157', amount: 5 },
    { name: 'TB-500', amount: 10 },
  ];
  const blend = { name: 'Wolverine', components: parts, waterMl: 3, lot: 'W-7' };
  const { compound } = await created('/api/compounds', blend);
  await created('/api/supplies', { kind: 'syringe', name: 'Syringes', count: 20 });
  const syringes = [
    { name: 'Blue', barrelMl: '0.7', unitsPerMl: 40, mark: 0.5 },
    { name: 'Large', barrelMl: 5, mark: 0.2 },
  ];
  expect((await ada.put('/api/profile', { syringes })).status).toBe(200);
  const plan = { doseUnit: 'mcg', startDate: day(-1), timeZone: 'UTC' };
  const times = ['00:00', '23:59'];
  const daily = { ...plan, frequency: { kind: 'daily' }, times };
  await created('/api/schedules', { ...daily, name: 'Wolverine', doseAmount: 250, compoundId: compound?.id });
  const asNeeded = { ...plan, frequency: { kind: 'as-needed' }, name: 'KPV', doseAmount: 100 };
  await created('/api/schedules', asNeeded);
  await writeFile(file, `takenAt,name,amount,unit\n${day(-9)} 08:00,BPC-157,250,mcg\n`);
  const { code } = await there(['login', world.web.url], { stdin: `${token}\n` });
  expect(code).toBe(0);
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe('logging in', () => {
  it('keeps the token in a file of its owner, and never prints it', async () => {
    const place = await newFolder();
    const own = { XDG_CONFIG_HOME: place };
    const login = path.join(place, 'vialbook', 'login.json');
    const results = [
      await runCli(['login', world.web.url], { env: { ...own, VIALBOOK_TOKEN: token } }),
      await runCli(['login', world.web.url, '--json'], { env: own, stdin: token }),
      await runCli(['login', world.web.url], { env: own, stdin: `${token}\n`, stdinIsTerminal: true }),
    ];
    for (const { code, stdout, stderr } of results) {
      expect(code, stderr).toBe(0);
      expect(stdout).toContain(ada.email);
      expect(stdout + stderr).not.toContain(token);
    }
    expect((await stat(login)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(login, 'utf8'))).toEqual({ url: world.web.url, token });
    const out = await runCli(['logout'], { env: own });
    expect(out).toMatchObject({ code: 0, stdout: `Logged out of ${world.web.url}.\n` });
    await expect(stat(login)).rejects.toThrow();
    expect((await runCli(['due'], { env: own })).stderr).toContain("required option '--user <email>'");
  });

  it('creates a token with email, password and the code of two-step sign-in', async () => {
    const eve = await world.premium();
    const secret = await world.protect(eve);
    const own = { XDG_CONFIG_HOME: await newFolder() };
    const code = oneTimeCode(secret, new Date(Date.now() + 30_000));
    const typed = ['', eve.email, PASSWORD, code, ''].join('\n');
    const result = await runCli(['login', world.web.url], { env: own, stdin: typed, stdinIsTerminal: true });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr).not.toContain(PASSWORD);
    const { stdout } = await runCli(['api', 'GET', '/api/auth/me'], { env: own });
    expect(JSON.parse(stdout)).toMatchObject({ data: { user: { email: eve.email } } });
  });

  it.for([
    ['http://vials.example.org', '', 2, 'https://'],
    ['ftp://localhost', '', 2, 'https://'],
    ['https://ada:secret@vials.example.org', '', 2, 'only the server’s address'],
    ['nonsense', '', 2, 'https://'],
  ] as const)('refuses the address %s', async ([address, stdin, code, words]) => {
    const result = await runCli(['login', address], { env: { XDG_CONFIG_HOME: await newFolder() }, stdin });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(words);
  });

  it('refuses a token that does not work, and asks nothing without a terminal', async () => {
    const own = { XDG_CONFIG_HOME: await newFolder() };
    const wrong = await runCli(['login', world.web.url], { env: own, stdin: 'vialbook_wrong' });
    expect(wrong.code).toBe(5);
    expect((await runCli(['login', world.web.url], { env: own })).code).toBe(2);
    expect((await runCli(['api', 'GET', '/api/today'], { env: own })).code).toBe(5);
    await expect(stat(path.join(own.XDG_CONFIG_HOME, 'vialbook'))).rejects.toThrow();
  });
});

/** A result whose JSON is compared by its values, not by the order of its fields. */
const json = ({ stdout, ...rest }: CliResult) => ({
  ...rest,
  stdout: stdout.startsWith('{') ? (JSON.parse(stdout) as unknown) : stdout,
});

/** Commands that change nothing, or are refused. */
const READS: readonly (readonly string[])[] = [
  ['due'],
  ['due', '--json'],
  ['stock'],
  ['stock', '--json'],
  ['export', '--format', 'csv', '--no-metadata'],
  ['export', '--format', 'json', '--types', 'compounds,doses', '--no-metadata'],
  ['export', '--format', 'xml'],
  ['export', '--format', 'csv', '--types', 'dreams'],
  ['profile'],
  ['profile', '--json'],
  ['profile', '--time-zone', 'Mars/Olympus'],
  ['supplies', 'list'],
  ['supplies', 'list', '--json'],
  ['supplies', 'change', 'Gloves', '--received', '5'],
  ['schedule', 'list'],
  ['schedule', 'list', '--json'],
  ['schedule', 'swap', 'sched_none', '--from', '2031-01-01', '--name', 'KPV'],
  ['schedule', 'again', 'sched_none', '--dry-run'],
  ['lot', 'L-1'],
  ['lot', 'L-1', '--json'],
  ['lot', 'w-7', '--json'],
  ['lot', 'L-2'],
  ['card', '--vial', 'vial_none'],
  ['ceiling'],
  ['webhooks', 'list', '--json'],
  ['import', '--list', '--json'],
  ['import', '--undo', 'imp_none'],
  ['log', '--dose', 'dose_none'],
  ['log', '--undo', 'dose_none'],
  ['log', '--as-needed', 'Nothing'],
  ['log', '--compound', 'BPC-157'],
  ['log', '--compound', 'BPC-157', '--amount', 'much'],
  ['log', '--as-needed', 'KPV', '--amount', '5mg'],
  ['move', 'dose_none', '--to', '09:00'],
];

describe('commands on a server', () => {
  it.for(READS.map((line) => line.join(' ')))('print the same as where the data are: %s', async (typed) => {
    const line = typed.split(' ');
    expect(json(await there(line))).toEqual(json(await here(line)));
  });

  it('log, move and undo doses, of blends, too, as they do there', async () => {
    const logged = await there(['log', '--compound', 'BPC-157', '--amount', '250mcg', '--json']);
    expect(logged.code, logged.stderr).toBe(0);
    const { id } = JSON.parse(logged.stdout) as { id: string };
    expect(await there(['log', '--dose', id])).toEqual(await here(['log', '--dose', id]));
    const undone = await there(['log', '--undo', id]);
    expect(undone).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/removed because it was not planned/) as string,
    });
  });

  it('take what is due together, and say the same about it', async () => {
    const one = await there(['log', '--due', '--at', '00:30']);
    expect(one.code, one.stderr).toBe(0);
    const [, id = ''] = /\((dose_\w+)\)/.exec(one.stdout) ?? [];
    const undone = await there(['log', '--undo', id]);
    const again = await here(['log', '--due', '--at', '00:30']);
    expect([one.stdout, one.stderr]).toEqual([again.stdout, again.stderr]);
    expect(one.stdout).toMatch(/Wolverine BPC-157 250 mcg \+ TB-500 500 mcg/);
    expect(await here(['log', '--undo', id])).toEqual(undone);
  });

  it('import a file, list it and undo it', async () => {
    const check = ['import', file, '--dry-run'];
    expect(await there(check)).toEqual(await here(check));
    const bad = path.join(home, 'bad.csv');
    await writeFile(bad, 'takenAt,name,amount,unit\nlately,BPC-157,250,mcg\n,,,\n');
    for (const more of [[], ['--json']])
      expect(await there(['import', bad, ...more])).toEqual(await here(['import', bad, ...more]));
    const done = await there(['import', '-', '--json'], { stdin: await readFile(file, 'utf8') });
    expect(done.code, done.stderr).toBe(0);
    const { id, added } = JSON.parse(done.stdout) as { id: string; added: { doses: number } };
    expect(added.doses).toBe(1);
    expect((await there(['import', '--list'])).stdout).toContain(id);
    expect(await there(['import', '--list'])).toEqual(await here(['import', '--list']));
    expect((await there(['import', '--undo', id])).stderr).toBe('Undone.\n');
  });

  it('write an export to a file, with the number of its records', async () => {
    const out = path.join(home, 'out.json');
    const line = ['export', '--format', 'json', '--types', 'compounds', '--out', out];
    expect(await there(line)).toMatchObject({ code: 0, stderr: `Wrote 2 records to ${out}\n` });
    expect(await there(line)).toEqual(await here(line));
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ compounds: [{}, {}] });
  });

  it('change supplies, ceilings, the profile and schedules', async () => {
    const lines = [
      ['supplies', 'add', 'Swabs', '--count', '5', '--kind', 'swab'],
      ['supplies', 'change', 'swabs', '--received', '5'],
      ['ceiling', 'BPC-157', '--per-dose', '2.5mg'],
      ['profile', '--time-zone', 'Europe/Berlin'],
    ];
    for (const line of lines) expect((await there(line)).code, line.join(' ')).toBe(0);
    for (const line of [['supplies', 'list'], ['ceiling', '--json'], ['profile']])
      expect(await there(line)).toEqual(await here(line));
    expect((await there(['supplies', 'list'])).stdout).toMatch(/Swabs: 10 left/);
    expect((await there(['supplies', 'delete', 'Swabs'])).code).toBe(0);
    const { stdout } = await there(['schedule', 'list']);
    const [id = ''] = /^\w+(?= {2}Wolverine)/m.exec(stdout) ?? [];
    const pause = ['schedule', 'pause', id, '--from', day(20), '--to', day(22)];
    expect(await there(pause)).toEqual(await here(pause));
    const end = ['schedule', 'pause', id, '--from', day(20), '--end'];
    expect(await there(end)).toMatchObject({ code: 0, stdout: '' });
  });

  it('show a lot with its doses and remainders, of blends, too', async () => {
    const logged = await there(['log', '--due', '--at', '00:20']);
    const [, id = ''] = /\((dose_\w+)\)/.exec(logged.stdout) ?? [];
    const away = await there(['lot', 'W-7']);
    expect(away).toEqual(await here(['lot', 'W-7']));
    expect(away.stdout).toMatch(/^ {2}Left: 4\.75 mg of 5 mg$/m);
    expect(away.stdout).toContain(`Wolverine  BPC-157 0.25 mg + TB-500 0.5 mg  (${id})`);
    expect(away.stdout).toContain('Taken from this lot: 1 dose, BPC-157 0.25 mg + TB-500 0.5 mg in all.');
    expect(json(await there(['lot', 'W-7', '--json']))).toEqual(json(await here(['lot', 'W-7', '--json'])));
    await there(['log', '--undo', id]);
  });

  it('print the dose card of a vial, as a file, too', async () => {
    for (const more of [[], ['--json']]) {
      const line = ['card', '--vial', vialId, ...more];
      const away = await there(line);
      expect(away.code, away.stderr).toBe(0);
      expect(away).toEqual(await here(line));
    }
    const out = path.join(home, 'card.pdf');
    const line = ['card', '--vial', vialId, '--format', 'pdf', '--out', out];
    expect(await there(line)).toMatchObject({ code: 0, stderr: '' });
    expect((await readFile(out, 'latin1')).slice(0, 5)).toBe('%PDF-');
  });

  it('preview and make a change of compound or dose, and start an ended schedule again', async () => {
    const plan = { doseUnit: 'mcg', timeZone: 'UTC', frequency: { kind: 'daily' }, times: ['08:00'] };
    const { schedule } = await created('/api/schedules', {
      ...plan,
      ...{ name: 'TB-500', doseAmount: 250, startDate: day(0), compoundId: vialId, confirm: true },
    });
    const swap = ['schedule', 'swap', schedule?.id ?? '', '--from', day(2)];
    for (const more of [
      ['--name', 'KPV', '--dry-run'],
      ['--dose', '300mcg', '--dry-run'],
      ['--dose', '300mcg', '--dry-run', '--json'],
      ['--vial', 'any', '--dry-run'],
      ['--vial', 'vial_none', '--dry-run'],
      ['--dose', '9mg'],
      ['--dose', 'much'],
    ])
      expect(json(await there([...swap, ...more])), more.join(' ')).toEqual(
        json(await here([...swap, ...more])),
      );
    const dry = await there([...swap, '--dose', '300mcg', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stderr: 'Nothing was changed.\n' });
    expect(dry.stdout).toContain('TB-500, 250 mcg  ->  TB-500, 300 mcg\n');
    const done = await there([...swap, '--dose', '300mcg', '--confirm', '--json']);
    const { isWritten, swaps } = JSON.parse(done.stdout) as { isWritten: boolean; swaps: { id: string }[] };
    expect([isWritten, swaps.length]).toEqual([true, 1]);
    expect(await there(['schedule', 'swap', schedule?.id ?? '', '--undo', swaps[0]?.id ?? ''])).toMatchObject(
      {
        code: 0,
      },
    );

    const past = { ...plan, name: 'KPV', doseAmount: 100, startDate: day(-20), endDate: day(-11) };
    const { schedule: ended } = await created('/api/schedules', past);
    const again = ['schedule', 'again', ended?.id ?? '', '--from', day(1)];
    expect(await there([...again, '--dry-run'])).toEqual(await here([...again, '--dry-run']));
    const [one, other] = [
      JSON.parse((await there([...again, '--dry-run', '--json'])).stdout) as { schedule: object },
      JSON.parse((await here([...again, '--dry-run', '--json'])).stdout) as { schedule: object },
    ];
    const atOnce = { createdAt: '', updatedAt: '' };
    expect({ ...one.schedule, ...atOnce }).toEqual({ ...other.schedule, ...atOnce });
    expect(one.schedule).toMatchObject({ id: null, startDate: day(1), endDate: day(10), isActive: true });
    const begun = await there([...again, '--confirm']);
    expect(begun).toMatchObject({ code: 0, stderr: 'Schedule started again\n' });
    expect(begun.stdout).toMatch(/^sched_\w+ {2}KPV/);
  });

  it('say that administration belongs where the data are, and are local with --user or DATA_DIR', async () => {
    const { code, stderr } = await there(['admin', 'stats']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/logged in to http.*only where the data are/);
    const elsewhere = await there(['due', '--user', 'nobody@example.org'], {
      env: { DATA_DIR: world.web.dataDir },
    });
    expect(elsewhere.code).toBe(4);
    expect((await there(['calc', '--amount', '5mg', '--water', '2ml', '--dose', '250mcg'])).code).toBe(0);
  });

  it('say no to what a read token may not do', async () => {
    const place = { XDG_CONFIG_HOME: await newFolder() };
    const reader = String((await world.tokenOf(ada, 'read')).token);
    await runCli(['login', world.web.url], { env: place, stdin: reader });
    const result = await runCli(['log', '--compound', 'BPC-157', '--amount', '1mg'], { env: place });
    expect(result.code, result.stderr).toBe(5);
    expect((await runCli(['stock'], { env: place })).code).toBe(3);
  });
});

describe('vialbook api', () => {
  it.for([
    [['GET', '/api/profile'], 0],
    [['post', '/api/supplies', '--data', '{"kind":"swab","name":"Wipes","count":9}'], 0],
    [['POST', '/api/import?dryRun=true', '--data', '@FILE', '--type', 'text/csv'], 0],
    [['POST', '/api/supplies', '--data', '{"kind":1}'], 2],
    [['PATCH', '/api/schedules/doses/none/undo', '--data', '{}'], 4],
    [['GET', '/api/nothing'], 4],
    [['GET', '/api/admin/stats'], 5],
  ] as const)('prints the body, and its exit code tells the status: %j', async ([args, code]) => {
    const line = args.map((word) => word.replace('FILE', file));
    const result = await there(['api', ...line]);
    expect([result.code, result.stderr]).toEqual([code, '']);
    expect(JSON.parse(result.stdout)).toMatchObject({ success: code === 0 });
  });

  it('sends what comes on standard input', async () => {
    const result = await there(['api', 'PUT', '/api/profile', '--data', '-'], { stdin: '{"name":"Ada"}' });
    expect(JSON.parse(result.stdout)).toMatchObject({ data: { user: { name: 'Ada' } } });
  });

  it.for([
    '//elsewhere.example.org/api/today',
    'https://elsewhere.example.org/api/',
    '/mcp',
    '/api/../admin',
  ])('stays on the server and in its API: %s', async (address) => {
    expect((await there(['api', 'GET', address])).code).toBe(2);
  });
});

/** A server that answers in its own way, and remembers what it was sent. */
async function answering(answer: (request: IncomingMessage) => [number, Record<string, string>, string]) {
  const seen: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(request);
    const [status, headers, body] = answer(request);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('a server that is not as it should be', () => {
  const pretendLogin = async (url: string) => {
    const place = await newFolder();
    await runCli(['login', world.web.url], { env: { XDG_CONFIG_HOME: place }, stdin: token });
    const login = path.join(place, 'vialbook', 'login.json');
    await writeFile(login, JSON.stringify({ url, token }));
    return { XDG_CONFIG_HOME: place };
  };

  it('does not get the token by a redirect', async () => {
    const thief = await answering(() => [200, { 'content-type': 'application/json' }, '{"success":true}']);
    const lure = await answering(() => [307, { location: `${thief.url}/api/today` }, '']);
    const result = await runCli(['due'], { env: await pretendLogin(lure.url) });
    expect([result.code, lure.seen.length, thief.seen.length]).toEqual([1, 1, 0]);
    expect(result.stderr).toContain(`redirects to ${thief.url}`);
    await Promise.all([thief.close(), lure.close()]);
  });

  it('is named when it is down, or no Vialbook', async () => {
    const down = await runCli(['stock'], { env: await pretendLogin(`http://127.0.0.1:${await freePort()}`) });
    expect(down).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be reached: nothing answers there/) as string,
    });
    const other = await answering(() => [200, { 'content-type': 'text/html' }, '<p>Hello']);
    const strange = await runCli(['stock'], { env: await pretendLogin(other.url) });
    expect(strange).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not as Vialbook does/) as string,
    });
    await other.close();
    const damaged = await pretendLogin('http://example.org');
    expect(await runCli(['due'], { env: damaged })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is damaged/) as string,
    });
    expect((await runCli(['logout'], { env: damaged })).code).toBe(0);
  });

  it('that no longer knows the token is said so, with exit code 5', async () => {
    const bob = await world.premium();
    const own = { XDG_CONFIG_HOME: await newFolder() };
    await runCli(['login', world.web.url], {
      env: own,
      stdin: String((await world.tokenOf(bob, 'write')).token),
    });
    const { body } = await bob.get('/api/profile/tokens');
    for (const { id } of body.data?.['tokens'] as { id: string }[])
      await bob.delete(`/api/profile/tokens/${id}`);
    for (const line of [['due'], ['log', '--due'], ['export', '--format', 'csv']]) {
      const result = await runCli(line, { env: own });
      expect(result.code).toBe(5);
      expect(result.stderr).toContain(`Log in again with "vialbook login ${world.web.url}"`);
    }
  });
});

describe('the built program', () => {
  it('works on a server without a data directory', async () => {
    const cwd = await newFolder();
    const result = await spawnCli(['due', '--json'], { cwd, env: { ...env(), DATA_DIR: '' } });
    expect(result.code, result.stderr).toBe(3);
    expect(await here(['due', '--json'])).toMatchObject({ stdout: result.stdout });
    expect(loginPath()).toContain(home);
  });
});
