import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '#cli/program.ts';
import { CLI_PATH, closingReader, runCli, spawnCli, spawnShell } from '#tests/support/cli.ts';
import { sized } from '#tests/support/size.ts';

const HEADER = 'peptideAmount,waterVolume,desiredDose,desiredDoseUnit,peptideName';
const RESULTS = 'concentration,injectionVolume,concentrationText,injectionVolumeText,units,warnings,error';

const batch = (stdin: string, ...args: string[]) => runCli(['calc', '--batch', '-', ...args], { stdin });

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-batch-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('invalid batch input', () => {
  test.each([
    ['', 'it is missing peptideAmount, waterVolume, desiredDose'],
    ['\n\n', 'it is missing'],
    ['peptideAmount,waterVolume\n5,2\n', 'it is missing desiredDose'],
    ['5,2,0.25\n', 'it is missing'],
    [`${HEADER},peptideName\n`, 'header column "peptideName" is a duplicate'],
    [`${HEADER},units\n`, 'header column "units" is a duplicate, or has the name of a result column'],
  ])('%j: exit 2, nothing on stdout', async (text, message) => {
    const { code, stdout, stderr } = await batch(text);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test('a header alone is an empty batch', async () => {
    expect(await batch(`${HEADER}\n`)).toEqual({ code: 0, stdout: `${HEADER},${RESULTS}\n`, stderr: '' });
  });

  test('a missing file: exit 4; a folder: exit 2', async () => {
    const missing = await runCli(['calc', '--batch', path.join(folder, 'none.csv')]);
    expect(missing).toMatchObject({ code: 4, stdout: '' });
    expect(missing.stderr).toContain('There is no file');
    expect((await runCli(['calc', '--batch', folder])).code).toBe(2);
  });

  test('an endless line is rejected, not collected', async () => {
    const endless = Readable.from(
      (function* () {
        for (let i = 0; i < 1000; i += 1) yield Buffer.alloc(64 * 1024, 'x');
        throw new Error('read on');
      })(),
    );
    const { code, stderr } = await runCli(['calc', '--batch', '-'], { stdin: endless });
    expect(code).toBe(2);
    expect(stderr).toContain('longer than a million characters');
  });

  test.each([[['--amount', '5']], [['--format', 'xml']], [['--syringe', 'u50']], [['--displacement', '-1']]])(
    'options %j: exit 2',
    async (args) => {
      expect(await batch(`${HEADER}\n`, ...args)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});

describe('streams', () => {
  /** Endless rows, and how many of them were read. */
  function endlessRows(): { stream: Readable; asked: () => number } {
    let asked = 0;
    const rows = function* () {
      yield Buffer.from('peptideAmount,waterVolume,desiredDose\n');
      for (;;) {
        asked += 1;
        yield Buffer.from('5,2,0.25\n'.repeat(1000));
      }
    };
    return { stream: Readable.from(rows(), { highWaterMark: 1 }), asked: () => asked };
  }

  test('a reader that closes the pipe ends the work at once, with exit 0', async () => {
    const { stream, asked } = endlessRows();
    const stdout = closingReader();
    stdout.on('error', () => {});
    const silent = closingReader();
    const code = await run(['calc', '--batch', '-'], {
      stdin: stream,
      stdout,
      stderr: silent,
      env: {},
      stdinIsTerminal: false,
      stderrIsTerminal: false,
      stdoutIsTerminal: false,
      colour: false,
    });
    expect(code).toBe(0);
    expect(asked()).toBeLessThan(10);
  });

  test('the built program behind a pipe that closes: no stack trace, exit 0', async () => {
    const file = path.join(folder, 'many.csv');
    await writeFile(file, `peptideAmount,waterVolume,desiredDose\n${'5,2,0.25\n'.repeat(200_000)}`);
    const { code, stdout, stderr } = await spawnShell(
      `set -o pipefail; "${process.execPath}" "${CLI_PATH}" calc --batch "${file}" | head -n 2`,
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `peptideAmount,waterVolume,desiredDose,${RESULTS}\n5,2,0.25,2.5,0.1,2.50,0.100,10,,\n`,
    );
  });

  test('four times as many rows take the same memory', async () => {
    const [few, many] = sized([50_000, 200_000], [100_000, 400_000]);
    const peak = async (rows: number): Promise<number> => {
      const stdin = `${HEADER}\n${'5,3,333,mcg,BPC-157\n'.repeat(rows)}`;
      const nodeArgs = ['--expose-gc', '--import', path.resolve('tests/support/live-memory.mjs')];
      const { stderr, stdout } = await spawnCli(['calc', '--batch', '-'], { stdin, nodeArgs });
      expect(stdout.length).toBeGreaterThan(rows * 40);
      return Number(stderr) / 1024;
    };
    // 150,000 more rows are 12 MB of output and 3 MB of input: held, they would show
    expect((await peak(many)) - (await peak(few))).toBeLessThan(5);
  });

  test('progress is shown on a terminal only, and leaves stdout alone', async () => {
    const text = `${HEADER}\n5,2,250,mcg,x\n0,2,250,mcg,x\n`;
    const silent = await batch(text);
    const shown = await runCli(['calc', '--batch', '-'], { stdin: text, stderrIsTerminal: true });
    expect(shown.stdout).toBe(silent.stdout);
    expect(shown.stderr).toContain('line 3: Peptide amount');
    expect(shown.stderr).toContain('\u001b[K');
  });
});
