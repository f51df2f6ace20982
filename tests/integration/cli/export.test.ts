import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAll } from '#tests/support/calculations.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { databaseEnv } from '#tests/support/named-deployment.ts';

let db: TestDatabase;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true });
  folder = path.join(db.directory, 'out');
  await mkdir(folder);
  env = { DATA_DIR: db.directory };
  const premium = await newPerson(db, 'premium@example.org', { plan: 'trial' });
  await saveAll(premium.ctx, [
    { peptideAmount: '2.01', desiredDose: '100', peptideName: 'BPC-157' },
    { notes: '=1+1' },
  ]);
  const free = await newPerson(db, 'free@example.org');
  await saveAll(free.ctx, [{ peptideName: 'session only' }]);
});
afterAll(() => db.dispose());

// The account's clock is in 2090, the command's is not, so a trial that ends then is running now.
const exported = (...args: string[]) => runCli(['export', ...args], { env: db.env });
const premium = ['--user', 'premium@example.org'];

describe('vialbook export', () => {
  it('writes CSV to stdout and nothing else there', async () => {
    const ran = await exported(...premium, '--format', 'csv', '--types', 'calculations', '--no-metadata');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const lines = ran.stdout.split('\r\n');
    expect(lines).toHaveLength(4);
    expect(ran.stdout).toContain(',1.005,');
    expect(ran.stdout).toContain(',1.01,0.100,');
    expect(ran.stdout).toContain(",'=1+1,,,,,,,,,\r\n");
  });

  it('writes a complete file or none, readable only by its owner', async () => {
    const file = path.join(folder, 'all.json');
    const ran = await exported(...premium, '--format', 'json', '--out', file, '--json');
    expect(JSON.parse(ran.stdout)).toEqual({ file, format: 'json', records: 2 });
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')) as object)).toEqual([
      'metadata',
      'calculations',
      'compounds',
      'schedules',
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['all.json']);
  });

  it('writes a PDF', async () => {
    const file = path.join(folder, 'report.pdf');
    expect(await exported(...premium, '--format', 'pdf', '--out', file)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `Wrote 2 records to ${file}\n`,
    });
    expect((await readFile(file)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('leaves an older file alone when it fails, and nothing half-written', async () => {
    const file = path.join(folder, 'old.csv');
    await writeFile(file, 'old');
    const ran = await exported('--user', 'nobody@example.org', '--format', 'csv', '--out', file, '--force');
    expect(ran.code).toBe(4);
    expect(await readFile(file, 'utf8')).toBe('old');
    const nowhere = await exported(
      ...premium,
      '--format',
      'csv',
      '--out',
      path.join(folder, 'missing', 'x.csv'),
    );
    expect(nowhere.code).toBe(2);
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('replaces a file only with --force', async () => {
    const file = path.join(folder, 'kept.csv');
    await writeFile(file, 'kept');
    const args = [...premium, '--format', 'csv', '--out', file];
    expect(await exported(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `vialbook: "${file}" already exists. Choose another file, or add --force to replace it.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('kept');
    expect((await exported(...args, '--force')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('BPC-157');
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
    // Neither may be replaced by a file.
    for (const [target, reason] of [
      [folder, 'it is a directory'],
      ['/dev/null', 'is not a file'],
    ] as const) {
      const { code, stderr } = await exported(...args.slice(0, -1), target, '--force');
      expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    }
  });

  it('writes a valid empty file and says so', async () => {
    const ran = await exported(
      ...premium,
      '--format',
      'json',
      '--from',
      '2001-01-01',
      '--to',
      '2001-01-02',
      '--no-metadata',
    );
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual({ calculations: [], compounds: [], schedules: [] });
    expect(ran.stderr).toBe('No data found for the selected criteria and date range.\n');
  });

  it('leaves out session-only calculations and says so', async () => {
    const ran = await exported('--user', 'free@example.org', '--format', 'csv');
    expect(ran.code).toBe(0);
    expect(ran.stdout).not.toContain('session only');
    expect(ran.stderr).toContain('stored only in its sign-in session are not exported');
  });

  it.each([
    [['--format', 'csv'], 2, '--user'],
    [[...premium, '--format', 'xml'], 2, '--format: Choose CSV, JSON or PDF.'],
    [[...premium, '--format', 'csv', '--types', ''], 2, '--types: Select at least one data type.'],
    [
      [...premium, '--format', 'csv', '--types', 'calculations,passwords'],
      2,
      '--types: Choose data types from the list.',
    ],
    [[...premium, '--format', 'csv', '--from', 'yesterday'], 2, '--from: Enter a date as YYYY-MM-DD.'],
    [[...premium, '--format', 'csv', '--from', '2026-02-02', '--to', '2026-02-01'], 2, '--to: The end date'],
    [['--user', 'free@example.org', '--format', 'csv', '--types', 'nutrition'], 5, 'Premium users only'],
  ])('answers %j with code %i', async (args, code, message) => {
    const ran = await exported(...args);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).toContain(message);
  });
});

describe('the built command', () => {
  it('exports beside a running server, ends by itself, and survives a closed pipe', async () => {
    const args = ['build/cli/main.js', 'export', ...premium, '--format', 'csv', '--types', 'calculations'];
    const ran = spawn(process.execPath, args, {
      env: databaseEnv({ ...process.env, ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for await (const chunk of ran.stdout) text += String(chunk);
    const code = ran.exitCode ?? (await new Promise<number | null>((resolve) => ran.once('close', resolve)));
    expect([code, text.split('\r\n').length]).toEqual([0, 5]);
    const cut = spawn('sh', ['-c', `"${process.execPath}" ${args.join(' ')} | head -c 1`], {
      env: databaseEnv({ ...process.env, ...env }),
    });
    let errors = '';
    cut.stderr.on('data', (chunk) => (errors += String(chunk)));
    await new Promise((resolve) => cut.once('close', resolve));
    expect(errors).toBe('');
  });
});
