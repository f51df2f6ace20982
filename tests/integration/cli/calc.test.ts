import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { volumeInput } from '#tests/support/calculator-arbitraries.ts';
import { BLEND_VECTORS } from '#tests/support/blend-vectors.ts';
import { CALCULATOR_VECTORS } from '#tests/support/calculator-vectors.ts';
import { runCli, spawnCli } from '#tests/support/cli.ts';

const calc = (...args: string[]) => runCli(['calc', ...args]);
const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe.each(CALCULATOR_VECTORS)('the vector "$name"', (vector) => {
  const args = [
    '--amount',
    `${vector.amount}mg`,
    '--water',
    `${vector.water}ml`,
    '--dose',
    `${vector.dose}${vector.doseUnit}`,
  ];

  test('as text begins with the line for copying', async () => {
    const { code, stdout, stderr } = await calc(...args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')[0]).toBe(vector.summary);
  });

  test('as JSON is the result of the calculator', async () => {
    const { code, stdout } = await calc(...args, '--json');
    const result = parsed(stdout);
    expect(code).toBe(0);
    expect(result).toMatchObject({
      concentrationText: vector.concentrationText,
      injectionVolumeText: vector.injectionVolumeText,
      unitsText: vector.unitsText,
      units: Number(vector.unitsText),
      concentration: vector.concentration,
      injectionVolume: vector.injectionVolume,
      desiredDose: vector.doseMg,
    });
    const input = volumeInput(vector.amount, vector.water, vector.dose, { desiredDoseUnit: vector.doseUnit });
    expect(result).toEqual({ ...parsed(JSON.stringify(calculate(input))), units: Number(vector.unitsText) });
  });
});

describe('the water for several doses', () => {
  const ladder = (...more: string[]) => calc('--amount', '30mg', '--ladder', '2.5mg,5mg, 7.5mg', ...more);

  test('is a table for each amount, the best first', async () => {
    const { code, stdout, stderr } = await ladder();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')[0]).toBe('Every dose is on a printed mark of the syringe.');
    expect(stdout.match(/^[\d.]+ ml of water$/gm)).toEqual([
      '3 ml of water',
      '2.4 ml of water',
      '1.8 ml of water',
    ]);
    expect(stdout).toMatch(/^7\.5 mg +0\.750 ml +75 units +exact$/m);
  });

  test('as JSON has the figures of the API', async () => {
    const { code, stdout } = await ladder('--capacity', '0.6ml', '--json');
    expect(code).toBe(0);
    expect(parsed(stdout)).toEqual({
      exact: true,
      choices: [
        {
          waterVolume: 0.6,
          doses: [
            { dose: 2.5, volume: 0.05, units: 5, error: 0 },
            { dose: 5, volume: 0.1, units: 10, error: 0 },
            { dose: 7.5, volume: 0.15, units: 15, error: 0 },
          ],
          worstError: 0,
        },
      ],
    });
  });

  test('knows IU and barrels that are marked in ml', async () => {
    const { code, stdout } = await calc(
      ...['--amount', '5000IU', '--ladder', '250,500', '--syringe', 'ml-1ml', '--capacity', '1ml'],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^500 IU +0\.100 ml +0\.1 ml +exact$/m);
  });

  test('says when no water fits, and by how much the nearest marks are off', async () => {
    const { code, stdout } = await calc('--amount', '7', '--ladder', '310mcg,1130', '--capacity', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No amount of water puts every dose on a printed mark\. .*% off\.$/m);
    expect(stdout).toMatch(/^1,130 mcg +[\d.]+ ml +\d+ units +[\d.]+% (more|less)$/m);
  });

  test.each([
    [['--water', '2ml'], '--amount, --syringe and --capacity'],
    [['--capacity', '11ml'], '--capacity'],
    [['--ladder', ','], '--ladder'],
    [['--ladder', '31mg'], '--ladder'],
    [['--syringe', 'u500'], '--syringe'],
  ])('refuses %j', async (more, named) => {
    const { code, stderr } = await ladder(...more);
    expect(code).toBe(2);
    expect(stderr).toContain(named);
  });

  test('is what --capacity is for', async () => {
    const { code, stderr } = await calc('--amount', '5', '--water', '2', '--dose', '1', '--capacity', '3');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--ladder')]);
  });
});

describe.each(BLEND_VECTORS)('the blend of $components', (vector) => {
  const args = [
    ...vector.components.flatMap(({ name, amount }) => ['--component', `${name}=${amount}mg`]),
    ...['--dose-of', vector.doseOf, '--water', `${vector.water}ml`],
    ...['--dose', `${vector.dose}${vector.doseUnit}`],
  ];

  test('shows the dose of each component in the draw', async () => {
    const { code, stdout, stderr } = await calc(...args);
    expect([code, stderr]).toEqual([0, '']);
    vector.components.forEach(({ name, amount }, at) =>
      expect(stdout).toContain(
        `${vector.doses[at]} ${name} (${amount} mg in the vial, ${vector.concentrations[at]} mg/ml)`,
      ),
    );
    expect(stdout).toContain(`${vector.units} units = ${vector.volume} ml`);
  });

  test('as JSON and as a row of a batch has the figures of the calculator', async () => {
    const { stdout } = await calc(...args, '--json');
    const components = vector.components.map(({ name, amount }, at) => ({
      name,
      amount: Number(amount),
      dose: vector.dosesMg[at],
      concentrationText: vector.concentrations[at],
    }));
    expect(parsed(stdout)).toMatchObject({ components, unitsText: vector.units, doseOf: vector.doseOf });
    const text = vector.components.map(({ name, amount }) => `${name}:${amount}`).join(';');
    const csv =
      'components,doseOf,waterVolume,desiredDose,desiredDoseUnit\n' +
      `${text},${vector.doseOf},${vector.water},${vector.dose},${vector.doseUnit}\n`;
    const batch = await runCli(['calc', '--batch', '-', '--format', 'ndjson'], { stdin: csv });
    expect([batch.code, batch.stderr]).toEqual([0, '']);
    expect(parsed(batch.stdout)).toMatchObject({
      injectionVolumeText: vector.volume,
      units: Number(vector.units),
    });
  });
});

test('an invalid component is named by its option', async () => {
  const { code, stderr } = await calc(
    ...['--component', 'BPC-157=5mg', '--component', 'TB-500=500mg', '--water', '2ml', '--dose', '1mg'],
  );
  expect(code).toBe(2);
  expect(stderr).toContain('--component: TB-500: Peptide amount must be between 0.1mg and 100mg');
});

describe('options', () => {
  test('a number without a unit is in mg or ml, and a comma counts as a decimal point', async () => {
    const { stdout } = await calc('--amount', '5', '--water', '2', '--dose', '0,25', '--json');
    expect(parsed(stdout)).toMatchObject({ injectionVolumeText: '0.100', unitsText: '10' });
  });

  test('texts separate the thousands of units, JSON does not', async () => {
    const options = ['--amount', '1mg', '--water', '10ml', '--dose', '1mg'];
    const { stdout } = await calc(...options);
    expect(stdout).toContain('(1,000 units)');
    expect(stdout).toMatch(/^Draw +1,000 units = 10\.000 ml/m);
    expect(stdout).toMatch(/^Nearest mark +1,000 units deliver 1 mg/m);
    expect(stdout).not.toMatch(/\b1000 units/);
    expect(parsed((await calc(...options, '--json')).stdout)).toMatchObject({
      unitsText: '1000',
      units: 1000,
    });
  });

  test('an amount may be in mcg', async () => {
    const { stdout } = await calc('--amount', '5000mcg', '--water', '2cc', '--dose', '250ug', '--json');
    expect(parsed(stdout)).toMatchObject({ peptideAmountText: '5', concentrationText: '2.50' });
  });

  test('syringe, mark, displacement and name reach the calculator', async () => {
    const { stdout } = await calc(
      ...['--amount', '100mg', '--water', '2ml', '--dose', '10mg', '--displacement', '5'],
      ...['--syringe', 'u40-1ml', '--mark', '2', '--name', 'TB-500', '--json'],
    );
    expect(parsed(stdout)).toMatchObject({
      unitsText: '10',
      mark: '2',
      displacementText: '5',
      solutionVolumeText: '2.5',
      summary: 'TB-500: 100 mg + 2 ml = 40.00 mg/ml; 10 mg = 0.250 ml (10 units)',
    });
  });

  test.each([
    [['--water', '2', '--draw', '0.1'], 'dose', '0.25 mg'],
    [['--dose', '250mcg', '--draw', '0.1ml'], 'water', '2 ml'],
    [['--solve-for', 'dose', '--water', '2', '--draw', '0.1'], 'dose', '0.25 mg'],
    [['--water', '2', '--dose', '250mcg'], 'volume', '0.100 ml'],
  ])('%j solves for the %s', async (args, solveFor, solvedText) => {
    const { stdout } = await calc('--amount', '5mg', ...args, '--json');
    expect(parsed(stdout)).toMatchObject({ solveFor, solvedText });
  });

  test('--measured is used in place of the printed amount, and says so', async () => {
    const args = ['--amount', '5mg', '--measured', '4800mcg', '--water', '2ml', '--dose', '250mcg'];
    const { stdout } = await calc(...args, '--json');
    expect(parsed(stdout)).toMatchObject({ unitsText: '10.42', measured: { differenceText: '4% less' } });
    const { stdout: text } = await calc(...args);
    expect(text).toMatch(/^Measured content +Calculated with the measured 4.8 mg .*0.417 units less/m);
  });

  test('--yes is taken by every command', async () => {
    expect((await calc('--amount', '5', '--water', '2', '--dose', '1', '--yes')).code).toBe(0);
  });
});

describe('the text', () => {
  test('shows draw, mark, doses, arithmetic, warnings and the notice', async () => {
    const { stdout } = await calc('--amount', '5mg', '--water', '10ml', '--dose', '3333mcg');
    expect(stdout).toBe(`5 mg + 10 ml = 0.50 mg/ml; 3.333 mg = 6.666 ml (666.6 units)

Draw              666.6 units = 6.666 ml (U-100 1 ml syringe, 7 draws)
Nearest mark      667 units deliver 3335 mcg (+0.06%)
Doses per vial    1
Concentration     5 mg ÷ 10 ml = 0.50 mg/ml
Injection volume  3.333 mg × 10 ml ÷ 5 mg = 6.666 ml
Units             3.333 mg × 10 ml ÷ 5 mg × 100 = 666.6
Warning           Large injection volume - consider using less water for reconstitution
Warning           This draw does not fit a U-100 1 ml syringe: it takes 7 draws

Research reference only, not medical advice. 18+
`);
  });

  test('has colours only if enabled', async () => {
    const args = ['calc', '--amount', '5', '--water', '1', '--dose', '0.1'];
    expect((await runCli(args)).stdout).not.toContain('\u001b[');
    expect((await runCli(args, { colour: true })).stdout).toContain('\u001b[33mWarning');
  });
});

describe('wrong input', () => {
  test('is reported on stderr with the specified messages and the option, exit 2', async () => {
    const { code, stdout, stderr } = await calc('--amount', '101mg', '--water', '0', '--dose', '0');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`vialbook: This cannot be calculated.
  --amount: Peptide amount must be between 0.1mg and 100mg
  --water: Water volume must be between 0.5ml and 10ml
  --dose: Desired dose must be positive and less than total peptide amount
`);
  });

  test.each([
    [
      ['--amount', '5ml', '--water', '2', '--dose', '1'],
      '--amount: 5ml is a volume; write the amount in mg or mcg',
    ],
    [['--amount', '5', '--water', '2mg', '--dose', '1'], '--water: 2mg is a mass; write the volume in ml'],
    [
      ['--amount', '5', '--water', '2', '--dose', '1e-1'],
      '--dose: 1e-1 is not an amount; write it without an exponent',
    ],
    [
      ['--amount', '5', '--water', '2', '--dose', '250xx'],
      '--dose: 250xx is not an amount; write 250 mcg or 0.25 mg\n',
    ],
    [
      ['--amount', '5', '--water', '2', '--dose', '1', '--draw', '0.1'],
      '--dose: Enter only two of water, dose and draw',
    ],
    [
      ['--solve-for', 'dose', '--amount', '5', '--water', '2', '--dose', '3', '--draw', '0.1'],
      '--dose: Enter only two of water, dose and draw',
    ],
    [
      ['--solve-for', 'volume', '--amount', '5', '--water', '2', '--dose', '1', '--draw', '0.1'],
      '--draw: Enter only two of water, dose and draw',
    ],
    [
      ['--solve-for', 'water', '--amount', '5', '--water', '2', '--dose', '1', '--draw', '0.1'],
      '--water: Enter only two of water, dose and draw',
    ],
    [
      ['--amount', '5', '--water', '2', '--dose', '1', '--syringe', 'u50'],
      '--syringe: Choose one of the listed syringes',
    ],
    [['--amount', '5', '--water', '2', '--dose', '1', '--mark', '7'], '--mark: Choose a mark spacing'],
    [['--amount', '5', '--water', '2', '--draw', '9'], '--dose: Desired dose must be'],
    [['--amount', '5', '--solve-for', 'magic'], '--solve-for: Choose volume, water or dose'],
    [['--amount', '5', '--draw', '0.1'], '--dose: missing; give the desired dose, such as 250mcg\n'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await calc(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('without options, everything missing is named', async () => {
    const { code, stderr } = await calc();
    expect(code).toBe(2);
    expect(stderr).toBe(`vialbook: This cannot be calculated.
  --amount: missing; give the peptide in the vial, such as 5mg
  --water: missing; give the water added, such as 2ml
  --dose: missing; give the desired dose, such as 250mcg
`);
  });

  test('with --json is one line of JSON on stderr', async () => {
    const { code, stdout, stderr } = await calc('--amount', '101', '--water', '2', '--dose', '1', '--json');
    expect([code, stdout]).toEqual([2, '']);
    expect(parsed(stderr)).toEqual({
      success: false,
      error: 'INVALID_INPUT',
      message: 'This cannot be calculated.',
      fields: { peptideAmount: ['Peptide amount must be between 0.1mg and 100mg'] },
    });
  });

  test.each([
    [['calc', '--amuont', '5']],
    [['clac']],
    [['calc', '--amount']],
    [['calc', 'extra', '--amount', '5']],
  ])('usage %j: exit 2, nothing on stdout', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
  });

  test('help and version are data: stdout, exit 0', async () => {
    for (const args of [['--help'], ['calc', '--help'], ['help', 'calc'], ['--version']]) {
      const { code, stdout, stderr } = await runCli(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).not.toBe('');
    }
    expect((await runCli(['calc', '--help'])).stdout).toContain('concentrationText');
    expect((await runCli(['--help'])).stdout).toMatch(/calc .*calculate one reconstitution/);
  });
});

describe('the built program', () => {
  test('computes in an empty folder and leaves it empty', async () => {
    const cwd = await mkdtemp(path.join(tmpdir(), 'vialbook-calc-'));
    try {
      const { code, stdout } = await spawnCli(
        ['calc', '--amount', '5mg', '--water', '2ml', '--dose', '250mcg', '--json'],
        { cwd },
      );
      expect(code).toBe(0);
      expect(parsed(stdout)).toMatchObject({
        concentrationText: '2.50',
        injectionVolumeText: '0.100',
        units: 10,
      });
      expect(await readdir(cwd)).toEqual([]);
    } finally {
      await rm(cwd, { recursive: true });
    }
  });

  test('exits with 2 on wrong input', async () => {
    expect((await spawnCli(['calc', '--amount', '0', '--water', '2', '--dose', '1'])).code).toBe(2);
  });

  test('loads no package, database or locales for one calculation', async () => {
    const args = ['calc', '--amount', '5', '--water', '2', '--dose', '1'];
    const { code, stderr } = await spawnCli(args, { env: { NODE_DEBUG: 'esm' } });
    const loaded = new Set(stderr.match(/file:\/\/\/[^\s'",]+/g));
    expect(code).toBe(0);
    expect([...loaded].filter((url) => url.includes('node_modules'))).toEqual([]);
    const sources = await Promise.all([...loaded].map((url) => readFile(new URL(url), 'utf8')));
    const all = sources.join('');
    // the bundle holds these words only where the code of those packages, or of a German zod, has come in
    expect(all).toContain('Peptide amount must be between');
    expect(all).not.toMatch(/mongoose|mongodb|Ungültige Eingabe|useState/);
  });
});
